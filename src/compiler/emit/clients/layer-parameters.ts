import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import { resolveReference } from '../../json-schema/references.ts';
import type { Node } from '../../read/grammar.ts';
import type { ClientOperation } from './client-operation.ts';

/** Removes header fields that do not belong to a single call: whoever wants them sends them with every request. */
export function removeFieldsOfLayers(document: Node, operations: readonly ClientOperation[]): void {
  for (const { node, item } of operations)
    for (const holder of [node, item]) {
      const { parameters } = holder;
      if (Array.isArray(parameters)) holder['parameters'] = parameters.filter((one) => !isOfLayers(document, one));
    }
}

function isOfLayers(document: Node, declared: Node): boolean {
  const parameter = resolveReference<Node>(document, declared);
  return parameter?.['in'] === 'header' && parameter['name'] === CONSISTENCY_TOKEN;
}
