import type { FlatSchema } from '../../compiler/json-schema/flat-schema.ts';
import type { OperationDraft } from '../../compiler/model/draft.ts';
import {
  itemSchema,
  pagingParameter,
  parameterSchema,
  sortValues,
} from '../../compiler/model/resources/list-parameters.ts';
import type { ContractSource } from '../../compiler/model/source.ts';
import { type Json, sortedProperties, sortParameter } from './openapi-resource.ts';
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

/**
 * Adds keys of order to a list, wherever the values of its parameter `sort` stand. Where a list could be sorted by all
 * properties at once, it still can.
 */
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
  const schema = parameterSchema(source.document, sort);
  const known = itemSchema(source.document, schema).keywords.get('enum');
  if (!known) return;
  const before = sortValues(source.document, sort);
  const most = schema.keywords.get('maxItems');
  const needed = sortedProperties([...before, ...values]);
  if (most && sortedProperties(before) <= Number(most.value) && Number(most.value) < needed)
    await writer.replaceNumber(source.locate(most.node), needed, ['maxItems']);
  for (const value of values) await writer.addName(source.locate(known.node), value, ['enum']);
}

/** Adds a property beside the last one of an object's schema, and its name to `required` if it is. */
export async function addProperty(
  source: ContractSource,
  writer: OpenApiWriter,
  flat: FlatSchema,
  name: string,
  value: object,
  isRequired: boolean,
): Promise<void> {
  const node = flat.nodes.at(-1)!;
  const holder = [...flat.properties.values()].at(-1)?.holder;
  if (holder) await writer.addProperty(source.locate(holder), name, value);
  else await writer.addProperty(source.locate(node), name, value, ['properties']);
  if (!isRequired) return;
  const required = [...flat.required.values()].at(-1);
  if (required) await writer.addName(source.locate(required), name);
  else await writer.addName(source.locate(node), name, ['required']);
}
