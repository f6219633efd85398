import type { GraphQLType } from 'graphql';
import type { Schema } from '../../descriptor/document.ts';
import { holdsId } from '../../descriptor/resource.ts';
import type { Parity } from './parity.ts';
import { typeText, type Use } from './type-text.ts';

/** A property of a schema, and the resource that the schema belongs to. */
export interface PropertySite {
  /** Key of the resource, or the name of a schema that belongs to none. */
  readonly area: string;
  readonly name: string;
  readonly schemas: readonly Schema[];
}

/** The GraphQL type of a property: `ID` of an id and of what refers to one, whatever its type; else that of its schema. */
export function propertyText(
  { resources, document }: Parity,
  { area, name, schemas }: PropertySite,
  use: Use,
  actual: GraphQLType | undefined,
): string {
  const owner = resources.find(({ key }) => key === area);
  const property = owner?.properties.find((one) => one.name === name);
  return property && holdsId(property) ? 'ID' : typeText(document, schemas, use, actual);
}
