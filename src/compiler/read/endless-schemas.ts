import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import type { Finding } from '../findings/finding.ts';
import { childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** Keywords whose schemas apply to the value that the schema around them applies to. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * References by which a schema applies itself to the same value: to validate it would never end (JSON Schema 2020-12
 * Core, 9.4.1). An error where nothing but references is in the circle; else a warning, as some documents describe
 * inheritance so and mean no harm.
 */
export function* endlessSchemas(root: Node, map: SourceMap): Generator<Finding> {
  const left = new Set<Node>();
  for (const node of nodesBelow(root, 'document', new Set())) yield* search(node, []);

  function* search(node: Node, path: readonly Node[]): Generator<Finding> {
    if (left.has(node)) return;
    const target = targetOf(root, node);
    const around = [...path, node];
    if (target && around.includes(target)) yield endless(node, around.slice(around.indexOf(target)), map);
    else if (target) yield* search(target, around);
    for (const child of childrenInPlace(node)) if (!around.includes(child)) yield* search(child, around);
    left.add(node);
  }
}

function endless(node: Node, circle: readonly Node[], map: SourceMap): Finding {
  const isEmpty = circle.every((member) => typeof member['$ref'] === 'string');
  return {
    rule: 'reference-circular',
    severity: isEmpty ? 'error' : 'warning',
    message: isEmpty
      ? 'This reference leads back to itself, with nothing at its end.'
      : 'This reference applies a schema to the value that it is already being applied to; to validate it never ends.',
    hint: isEmpty
      ? 'Describe the object itself where one of these references stands.'
      : 'Refer to what both have in common, in a schema of its own that refers to neither.',
    location: map.locate(node, '$ref'),
  };
}

function targetOf(root: Node, { $ref }: Node): Node | undefined {
  const pointer = typeof $ref === 'string' && $ref.startsWith('#') ? pointerOfFragment($ref.slice(1)) : undefined;
  const target = pointer === undefined ? undefined : valueAt(root, pointerTokens(pointer));
  return isNode(target) ? target : undefined;
}

function childrenInPlace(node: Node): Node[] {
  return IN_PLACE.flatMap((keyword) => {
    const value = node[keyword];
    if (Array.isArray(value)) return value.filter(isNode);
    if (!isNode(value)) return [];
    return keyword === 'dependentSchemas' ? Object.values(value).filter(isNode) : [value];
  });
}

function* nodesBelow(node: Node, kind: Kind, visited: Set<Node>): Generator<Node> {
  if (visited.has(node)) return;
  visited.add(node);
  yield node;
  for (const { child, kind: childKind } of childrenOf(node, kind)) yield* nodesBelow(child, childKind, visited);
}
