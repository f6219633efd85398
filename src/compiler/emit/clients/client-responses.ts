import { resolveReference, schemaReference } from '../../json-schema/references.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import { keepOneType } from './client-bodies.ts';
import type { ClientOperation } from './client-operation.ts';

/**
 * Makes all failures of an operation one answer, `default`: each is a problem, and its code says more than its status.
 * `problem`: name of the schema of failures. Header fields go, too: no generator gives them types.
 */
export function simplifyResponses(document: Node, operations: readonly ClientOperation[], problem: string): void {
  const failure = {
    description: 'What went wrong.',
    content: { 'application/problem+json': { schema: schemaReference(problem) } },
  };
  for (const { node } of operations) {
    const responses = Object.entries(node['responses'] as Record<string, Node>);
    const results = responses.filter(([status]) => /^[123]/.test(status));
    node['responses'] = {
      ...Object.fromEntries(results.map(([status, response]) => [status, plain(document, response)])),
      ...(results.length < responses.length && { default: failure }),
    };
  }
}

/** The response in place, without header fields and links. */
function plain(document: Node, declared: Node): Node {
  const { headers: _, links: __, ...response } = { ...resolveReference<Node>(document, declared) };
  if (isNode(response['content'])) keepOneType(document, response);
  return response;
}
