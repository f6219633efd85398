import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { referencesOf } from '../access/relations.ts';
import type { OperationDraft, ResourceDraft } from '../draft.ts';
import { conditionParameter, referenceParameters } from './filter-parameters.ts';
import { FilterReader } from './read-filter.ts';

/** A list whose callers may combine conditions, and what reading their schemas has found. */
export interface OfferedFilter {
  readonly resource: ResourceDraft;
  readonly list: OperationDraft;
  readonly read: FilterReader;
}

/** The lists of a contract with such filters. */
export function offeredFilters(
  document: OpenApiDocument,
  resources: readonly ResourceDraft[],
): readonly OfferedFilter[] {
  const references = referencesOf(resources);
  return resources.flatMap((resource) => {
    const { list } = resource.operations;
    if (!list) return [];
    const condition = conditionParameter(list);
    const named = referenceParameters(list, resource.schema);
    if (!condition && named.length === 0) return [];
    const read = new FilterReader(document, references);
    if (condition) {
      const media = Object.values(condition.parameter.content ?? {})[0] ?? condition.parameter;
      read.read(resource, condition.declared, { node: media, key: 'schema' });
    }
    for (const parameter of named)
      read.readReference(resource, parameter.name, (parameter.schema ?? true) as Schema, {
        node: parameter,
        key: 'schema',
      });
    return [{ resource, list, read }];
  });
}

/** Whether any list of a contract has such a filter. */
export const offersConditions = (resources: readonly ResourceDraft[]): boolean =>
  resources.some(
    ({ operations: { list }, schema }) =>
      list && (conditionParameter(list) || referenceParameters(list, schema).length > 0),
  );
