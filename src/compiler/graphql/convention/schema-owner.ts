import { type GraphQLSchema, isObjectType } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import type { ContractSide } from './contract-side.ts';

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

/** The type of an id, or of a list of them; undefined for an object of operators on one. */
export function idText(value: FlatSchema): string | undefined {
  if (value.properties.size > 0) return undefined;
  return value.keywords.has('items') ? '[ID!]' : 'ID';
}
