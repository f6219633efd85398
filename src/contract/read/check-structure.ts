import { Validator } from '@seriousme/openapi-schema-validator';
import type { Finding } from '../finding.ts';
import { nodesBelow } from './circular-references.ts';
import { isNode, type Node } from './grammar.ts';
import { pointerTokens } from './pointer.ts';
import type { SourceMap } from './source-map.ts';

interface StructureError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Say only that one of several branches failed; the branches say what is wrong. */
const SUMMARIES = new Set(['oneOf', 'anyOf', 'allOf', 'if', '$ref', '$dynamicRef', 'not']);

/** What of the document is not OpenAPI (https://spec.openapis.org/oas/3.1/schema), at the deepest known places. */
export async function checkStructure(document: Node, map: SourceMap): Promise<Finding[]> {
  const result = await new Validator().validate(withoutData(document));
  if (result.valid) return [];
  if (typeof result.errors === 'string')
    return [finding(document, map, { instancePath: '', keyword: '', message: result.errors, params: {} })];
  const faults = deepest((result.errors ?? []) as readonly StructureError[]);
  return [...new Map(faults.map((error) => [error.instancePath, finding(document, map, error)])).values()];
}

/** A copy, which the validator writes into, without the data in which it would take `$ref` for a reference. */
function withoutData(document: Node): Node {
  const copy = structuredClone(document);
  for (const node of nodesBelow(copy, 'document', new Set())) {
    for (const key of ['example', 'default', 'const', 'enum', 'value']) delete node[key];
    if (Array.isArray(node['examples'])) delete node['examples'];
  }
  return copy;
}

/** Errors of alternatives that were never meant are shallower than those of the one that was. */
function deepest(errors: readonly StructureError[]): StructureError[] {
  const telling = errors.filter(
    ({ keyword, params }) => !SUMMARIES.has(keyword) && params['missingProperty'] !== '$ref',
  );
  const paths = telling.map(({ instancePath }) => instancePath);
  return telling.filter(({ instancePath }) => !paths.some((path) => path.startsWith(`${instancePath}/`)));
}

function finding(document: Node, map: SourceMap, error: StructureError): Finding {
  const { node, key } = nearest(document, error);
  return {
    rule: 'openapi-structure',
    severity: 'error',
    message: `This is not OpenAPI: ${explain(error)}.`,
    location: map.locate(node, key),
  };
}

function explain({ instancePath, keyword, message, params }: StructureError): string {
  const what = instancePath === '' ? 'the document' : `\`${pointerTokens(instancePath).at(-1)}\``;
  switch (keyword) {
    case 'required':
      return `${what} lacks \`${params['missingProperty']}\``;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${what} may not hold \`${params['additionalProperty'] ?? params['unevaluatedProperty']}\``;
    case 'enum':
      return `${what} must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    default:
      return `${what} ${message ?? 'is not as it should be'}`;
  }
}

/** The node that the error's path leads to, or the last one on the way, and a key of it where the error names one. */
function nearest(document: Node, { instancePath, params }: StructureError): { node: Node; key?: string } {
  const named = params['additionalProperty'] ?? params['unevaluatedProperty'];
  let node: Node = document;
  for (const token of pointerTokens(instancePath)) {
    const next = node[token];
    if (typeof next !== 'object' || next === null) return { node, key: token };
    node = next as Node;
  }
  return typeof named === 'string' && isNode(node) ? { node, key: named } : { node };
}
