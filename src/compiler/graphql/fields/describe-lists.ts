import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { FieldDescriptor, GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { referenceParameters } from '../../model/filters/filter-parameters.ts';
import { sortName } from '../convention/names.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import type { TypeUse } from './describe-inputs.ts';

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

/** A field of a filter that is named for a reference, its input type, and the schemas of its values. */
export interface ReferenceFilter extends TypeUse {
  readonly type: GraphQLInputObjectType;
  /** Key of the resource that is listed. */
  readonly resource: string;
  readonly field: string;
}

/** The fields that stand for parameters named for references, of lists without the parameter `filter`. */
export function referenceFilters(schema: GraphQLSchema, { draft }: GraphqlView): readonly ReferenceFilter[] {
  return draft.resources.flatMap((resource) => {
    const { list } = resource.operations;
    const filter = schema.getType(`${resource.name}Filter`);
    if (!list || !isInputObjectType(filter)) return [];
    return referenceParameters(list, resource.schema).flatMap((parameter) => {
      const field = filter.getFields()[parameter.name];
      const type = field && getNamedType(field.type);
      if (!isInputObjectType(type)) return [];
      const use = { type: type as GraphQLInputObjectType, schemas: [parameter.schema ?? true] };
      return [{ resource: resource.key, field: parameter.name, ...use }];
    });
  });
}
