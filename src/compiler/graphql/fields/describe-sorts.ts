import { type GraphQLSchema, getNamedType, isEnumType, isObjectType } from 'graphql';
import type { FieldDescriptor, GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { sortName } from './names.ts';

/** The REST values of each sort enum. `resources` are in GraphQL's names, `originals` in the document's, in the same order. */
export function describeSorts(
  schema: GraphQLSchema,
  resources: readonly ResourceDescriptor[],
  originals: readonly ResourceDescriptor[],
  fields: Readonly<Record<string, FieldDescriptor>>,
): GraphqlDescriptor['sorts'] {
  const sorts: Record<string, Record<string, string>> = {};
  for (const [coordinate, field] of Object.entries(fields)) {
    if (field.kind !== 'list' && field.kind !== 'connection') continue;
    const type = sortType(schema, coordinate);
    const values = originals.find(({ key }) => key === field.resource)?.list?.sorts ?? [];
    const named = resources.find(({ key }) => key === field.resource)?.list?.sorts ?? [];
    if (type) sorts[type] = Object.fromEntries(named.map(({ value }, i) => [sortName(value), values[i]!.value]));
  }
  return sorts;
}

function sortType(schema: GraphQLSchema, coordinate: string): string | undefined {
  const [typeName, fieldName] = coordinate.split('.') as [string, string];
  const type = schema.getType(typeName);
  const argument = isObjectType(type) && type.getFields()[fieldName]?.args.find(({ name }) => name === 'sort');
  const named = argument ? getNamedType(argument.type) : undefined;
  return isEnumType(named) ? named.name : undefined;
}
