import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { resolveReference, schemaReference } from '../../json-schema/references.ts';
import { problemNames } from '../../read/complete/problem-schemas.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import { keepOneType } from './client-bodies.ts';
import type { ClientOperation } from './client-operation.ts';

/**
 * Makes all failures of an operation one answer, `default`: each is a problem, and its code says more than its status.
 * Header fields go, too: no generator gives them types.
 */
export function simplifyResponses(document: Node, operations: readonly ClientOperation[]): void {
  const openapi = document as unknown as OpenApiDocument;
  const failure = {
    description: 'What went wrong.',
    content: { 'application/problem+json': { schema: schemaReference(problemNames(openapi).problem) } },
  };
  for (const { node } of operations) {
    const responses = Object.entries(node['responses'] as Record<string, Node>);
    const results = responses.filter(([status]) => /^[123]/.test(status));
    node['responses'] = {
      ...Object.fromEntries(results.map(([status, response]) => [status, plain(openapi, response)])),
      ...(results.length < responses.length && { default: failure }),
    };
  }
}

/** The response in place, without header fields and links. */
function plain(document: OpenApiDocument, declared: Node): Node {
  const { headers: _, links: __, ...response } = { ...resolveReference<Node>(document, declared) };
  if (isNode(response['content'])) keepOneType(response);
  return response;
}
