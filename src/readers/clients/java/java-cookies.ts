import { resolveReference } from '../../../compiler/json-schema/index.ts';
import { isNode, type Node } from '../../../compiler/read/index.ts';
import { HTTP_METHODS } from '../../../descriptor/document.ts';
import { pathItemsIn } from '../common/document-parts.ts';
import type { FaultOf } from '../common/generate-most.ts';

/** Cookies that the client does not send, though it may. */
export interface UnsentCookies {
  readonly operationId: string;
  readonly names: readonly string[];
}

/** Removes the optional cookies of a document, which the generator would accept and not send; names them by operation. */
export const withoutCookies = (document: Node): readonly UnsentCookies[] =>
  pathItemsIn(document).flatMap((item) => {
    const shared = takenFrom(document, item);
    const operations = HTTP_METHODS.map((method) => item[method]).filter(isNode);
    const named = operations.map((one) => ({
      operationId: String(one['operationId']),
      names: [...shared, ...takenFrom(document, one)],
    }));
    return named.filter(({ names }) => names.length > 0);
  });

function takenFrom(document: Node, holder: Node): readonly string[] {
  const resolved = (one: Node) => resolveReference<Node>(document, one) ?? {};
  const isOptional = (one: Node) => resolved(one)['in'] === 'cookie' && resolved(one)['required'] !== true;
  const all = (holder['parameters'] ?? []) as readonly Node[];
  if (all.some(isOptional)) holder['parameters'] = all.filter((one) => !isOptional(one));
  return all.filter(isOptional).map((one) => String(resolved(one)['name']));
}

/** Why an operation is left out. */
export const cookieFault: FaultOf = ({ in: place }, kind) =>
  kind === 'parameter' && place === 'cookie'
    ? 'the generator for Java sends no cookies, and one is required'
    : undefined;
