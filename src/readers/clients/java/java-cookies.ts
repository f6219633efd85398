import { resolveReference } from '../../../compiler/json-schema/index.ts';
import type { Node } from '../../../compiler/read/index.ts';
import { operationsIn, pathItemsIn } from '../common/document-parts.ts';
import type { FaultOf } from '../common/generate-most.ts';

/** Cookies that the client does not send, though it may. */
export interface UnsentCookies {
  readonly operationId: string;
  readonly names: readonly string[];
}

/** Removes the optional cookies of a document, which the generator would accept and not send; names them by operation. */
export function withoutCookies(document: Node): readonly UnsentCookies[] {
  const unsent = operationsIn(document).flatMap((operation): UnsentCookies[] => {
    const item = pathItemsIn(document).find((one) => Object.values(one).includes(operation));
    const declared = [operation, item ?? {}].flatMap(({ parameters }) => (parameters ?? []) as Node[]);
    const names = declared.filter((one) => isOptional(document, one)).map((one) => nameOf(document, one));
    return names.length > 0 ? [{ operationId: String(operation['operationId']), names }] : [];
  });
  for (const holder of [...operationsIn(document), ...pathItemsIn(document)])
    if (Array.isArray(holder['parameters']))
      holder['parameters'] = holder['parameters'].filter((one: Node) => !isOptional(document, one));
  return unsent;
}

const isOptional = (document: Node, declared: Node): boolean => {
  const parameter = resolveReference<Node>(document, declared);
  return parameter?.['in'] === 'cookie' && parameter['required'] !== true;
};

const nameOf = (document: Node, declared: Node): string => String(resolveReference<Node>(document, declared)?.['name']);

/** Why an operation is left out: the generator sends no cookies. */
export const cookieFault: FaultOf = (node, kind) =>
  kind === 'parameter' && node['in'] === 'cookie'
    ? 'the generator for Java sends no cookies, and one is required'
    : undefined;
