import { type GraphQLSchema, type GraphQLType, isObjectType } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import { holdsId, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { ContractSide } from './contract-side.ts';
import { typeText, type Use } from './type-text.ts';

/** Whether a keyword of a property's schema is true. */
export function hasFlag(
  { document }: Pick<ContractSide, 'document'>,
  { schemas }: FlatProperty,
  keyword: string,
): boolean {
  return flatSchema(document, ...schemas).keywords.get(keyword)?.value === true;
}

/**
 * The key of the resource that a schema belongs to, conditions on its rows included; the schema's own name if it
 * belongs to none.
 */
export function areaOf({ resources }: Pick<ContractSide, 'resources'>, schema: string): string {
  const owner = resources.find((one) => Object.values(one.schemas).includes(schema) || isConditionsOn(one, schema));
  return owner?.key ?? schema;
}

/** Whether a schema has the name of conditions on the rows of a resource, in a contract with such filters. */
export const isConditionsOn = ({ name, relations }: ResourceDescriptor, schema: string): boolean =>
  relations !== undefined && schema === `${name}Filter`;

/** Whether an input has a field that its resource has in neither protocol: it is left of a property that has been removed. */
export function isLeftover(
  { resources, schema }: { readonly resources: readonly ResourceDescriptor[]; readonly schema: GraphQLSchema },
  input: string,
  field: string,
): boolean {
  const resource = resources.find(({ schemas }) => schemas.input === input || schemas.patch === input);
  if (!resource || resource.properties.some(({ name }) => name === field)) return false;
  const type = schema.getType(resource.name);
  return isObjectType(type) && type.getFields()[field] === undefined;
}

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
  { resources, document }: Pick<ContractSide, 'resources' | 'document'>,
  { area, name, schemas }: PropertySite,
  use: Use,
  actual: GraphQLType | undefined,
): string {
  const owner = resources.find(({ key }) => key === area);
  const property = owner?.properties.find((one) => one.name === name);
  const id = property && holdsId(property) ? idText(flatSchema(document, ...schemas)) : undefined;
  return id ?? typeText(document, schemas, use, actual);
}
