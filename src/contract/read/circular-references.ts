import type { Finding } from '../finding.ts';
import { childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import { pointerOf, pointerTokens, valueAt } from './pointer.ts';
import type { SourceMap } from './source-map.ts';

/** References that lead only to themselves: no schema stands at their end. */
export function* circularReferences(root: Node, map: SourceMap): Generator<Finding> {
  for (const node of nodesBelow(root, 'document', new Set())) {
    if (!leadsToItself(root, node)) continue;
    yield {
      rule: 'reference-circular',
      severity: 'error',
      message: 'This reference leads back to itself, with nothing at its end.',
      hint: 'Describe the schema itself where one of these references stands.',
      location: map.locate(node, '$ref'),
    };
  }
}

function* nodesBelow(node: Node, kind: Kind, visited: Set<Node>): Generator<Node> {
  if (visited.has(node)) return;
  visited.add(node);
  yield node;
  for (const { child, kind: childKind } of childrenOf(node, kind)) yield* nodesBelow(child, childKind, visited);
}

function leadsToItself(root: Node, start: Node): boolean {
  const passed = new Set<Node>();
  let node: unknown = start;
  while (isNode(node) && typeof node['$ref'] === 'string' && node['$ref'].startsWith('#')) {
    if (passed.has(node)) return node === start;
    passed.add(node);
    const pointer = pointerOf(node['$ref'].slice(1));
    node = pointer === undefined ? undefined : valueAt(root, pointerTokens(pointer));
  }
  return false;
}
