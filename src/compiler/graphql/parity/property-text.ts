import type { GraphQLType } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import { holdsId } from '../../../descriptor/resource.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { Parity } from './parity.ts';
import { typeText, type Use } from './type-text.ts';

/** A property of a schema, and the resource that the schema belongs to. */
export interface PropertySite {
  /** Key of the resource, or the name of a schema that belongs to none. */
  readonly area: string;
  readonly name: string;
  readonly schemas: readonly Schema[];
}

/** The type of an id, or of a list of them; undefined for an object of operators on one. */
export function idText(value: FlatSchema): string | undefined {
  if (value.properties.size > 0) return undefined;
  return value.keywords.has('items') ? '[ID!]' : 'ID';
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
  const id = property && holdsId(property) ? idText(flatSchema(document, ...schemas)) : undefined;
  return id ?? typeText(document, schemas, use, actual);
}
