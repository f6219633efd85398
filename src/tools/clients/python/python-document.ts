import { removeUnreferenced } from '../../../compiler/emit/clients/unreferenced.ts';
import type { Node } from '../../../compiler/read/grammar.ts';
import { keepResults, parametersIn } from '../document-parts.ts';

/**
 * The document as the generator for Python reads it. Failures are exceptions of the layer, so that answers have one type.
 * The names of parameters say what its templates have to know: `price. gt` is `price_gt`, sent as `price[gt]`, and `status,` a
 * list that is sent with commas.
 */
export function pythonDocument(document: Node): Node {
  keepResults(document, /^2/);
  for (const parameter of parametersIn(document)) {
    if (parameter['in'] !== 'query') continue;
    const comma = parameter['explode'] === false ? ',' : '';
    parameter['name'] = `${String(parameter['name']).replace(/\[([^[\]]*)\]$/, '. $1')}${comma}`;
  }
  removeUnreferenced(document);
  return document;
}
