import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import { referenceParameters } from '../../model/filters/filter-parameters.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import type { InputUse } from './describe-inputs.ts';

/** A field of a filter that is named for a reference, its input type, and the schemas of its values. */
export interface ReferenceFilter extends InputUse {
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
