import { childPointer, pointerOfFragment } from '../../../descriptor/json-pointer.ts';
import { isNode, type Node } from '../../read/grammar.ts';

/** Security schemes are named where they are used, not referred to. */
const KEPT = ['securitySchemes'];

/** Extension of a document for clients: schemas of payloads that it has no operations for. */
export const PAYLOADS = 'x-payloads';

/** Removes the components that nothing leads to from the operations. */
export function removeUnreferenced(document: Node): void {
  const components = (document['components'] ?? {}) as Record<string, Node>;
  const { components: _, ...roots } = document;
  const reached = new Set<string>();
  const open = pointersIn(roots);
  for (const pointer of open) {
    if (reached.has(pointer)) continue;
    reached.add(pointer);
    const [, , kind, name] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    open.push(...pointersIn(components[kind ?? '']?.[name ?? '']));
  }
  for (const [kind, members] of Object.entries(components)) {
    if (KEPT.includes(kind) || !isNode(members)) continue;
    for (const name of Object.keys(members))
      if (!reached.has(childPointer(`/components/${kind}`, name))) delete members[name];
    if (Object.keys(members).length === 0) delete components[kind];
  }
}

/** Of the components that a value refers to, its own text included: mappings of discriminators hold pointers as well. */
export function pointersIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const pointer = value.startsWith('#/components/') ? pointerOfFragment(value.slice(1)) : undefined;
    return pointer === undefined ? [] : [pointer];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pointersIn) : [];
}
