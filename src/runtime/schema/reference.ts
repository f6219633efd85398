import type { OpenApiDocument, Reference } from '../../descriptor/document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';

/**
 * Resolves a local reference (RFC 6901 in a URI fragment), following references to references. Throws if there is no
 * such node.
 */
export function resolveReference(document: OpenApiDocument, reference: string): unknown {
  const seen = new Set<string>();
  let node: unknown = { $ref: reference };
  while (isReference(node)) {
    if (seen.has(node.$ref)) throw new Error(`The reference ${reference} is circular`);
    seen.add(node.$ref);
    node = nodeAt(document, node.$ref);
  }
  return node;
}

/** The node itself, or the target of its reference. */
export function dereference<T>(document: OpenApiDocument, node: T | Reference): T {
  return isReference(node) ? (resolveReference(document, node.$ref) as T) : node;
}

export function isReference(node: unknown): node is Reference {
  return typeof node === 'object' && node !== null && '$ref' in node && typeof node.$ref === 'string';
}

/** The node at a pointer. If it is a reference itself, it is not followed. */
export function nodeAt(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`The reference ${reference} is not local`);
  const pointer = pointerOfFragment(reference.slice(1));
  const node = pointer && valueAt(document, pointerTokens(pointer));
  if (node === undefined) throw new Error(`The reference ${reference} has no target`);
  return node;
}
