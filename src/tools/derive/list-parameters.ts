import type { OperationDraft } from '../../compiler/model/draft.ts';
import type { ContractSource } from '../../compiler/model/model.ts';
import { itemSchema, pagingParameter, parameterSchema } from '../../compiler/resources/list-parameters.ts';
import { type Json, sortParameter } from './openapi-resource.ts';
import type { OpenApiWriter } from './openapi-writer.ts';

/** The document of a contract and what writes into it. */
export interface OpenDocument {
  readonly source: ContractSource;
  readonly writer: OpenApiWriter;
}

/** Adds a parameter after the others of an operation. */
export function addListParameter(
  { source, writer }: OpenDocument,
  { node }: OperationDraft,
  parameter: Json,
): Promise<void> {
  return node.parameters
    ? writer.addItem(source.locate(node.parameters), parameter)
    : writer.addItem(source.locate(node), parameter, ['parameters']);
}

/** Adds keys of order to a list, wherever the values of its parameter `sort` stand. */
export async function addSortValues(
  document: OpenDocument,
  list: OperationDraft,
  values: readonly string[],
): Promise<void> {
  const { source, writer } = document;
  const sort = pagingParameter(list, 'sort');
  if (!sort) {
    await addListParameter(document, list, sortParameter(values));
    return;
  }
  const known = itemSchema(source.document, parameterSchema(source.document, sort)).keywords.get('enum');
  for (const value of known ? values : []) await writer.addName(source.locate(known!.node), value, ['enum']);
}
