import { removeUnreferenced } from '../../compiler/emit/clients/unreferenced.ts';
import { resolveReference } from '../../compiler/json-schema/references.ts';
import type { Node } from '../../compiler/read/grammar.ts';
import { keepResults, parametersIn } from '../common/document-parts.ts';

/**
 * The document as the generator for Python reads it. Failures are exceptions of the layer, so that answers have one type. Filters
 * get names that make an argument which can be read, and that the templates undo: `price. gt` is `price_gt`, sent as
 * `price[gt]`.
 */
export function pythonDocument(document: Node): Node {
  keepResults(document, /^2/);
  for (const parameter of parametersIn(document)) {
    if (parameter['in'] === 'query') parameter['name'] = argumentName(String(parameter['name']));
    // The generator gives header fields no lists: the caller joins them by commas (RFC 9110, 5.6.1).
    const { type } = resolveReference<Node>(document, parameter['schema'] as Node) ?? {};
    if (parameter['in'] === 'header' && type === 'array') parameter['schema'] = { type: 'string' };
  }
  removeUnreferenced(document);
  return document;
}

/** What the argument for a parameter of the query is called after. */
export const argumentName = (parameter: string): string => parameter.replace(/\[([^[\]]*)\]$/, '. $1');
