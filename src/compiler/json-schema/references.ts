import type { Reference, Schema } from '../../descriptor/document.ts';
import { isReference, nodeAt, schemaNameOf, schemaUri } from '../../descriptor/references.ts';

export { isReference, nodeAt, schemaNameOf };

export function schemaReference(name: string): Reference & Exclude<Schema, boolean> {
  return { $ref: schemaUri(name) };
}

/** Follows local references until something else stands there; undefined when one leads nowhere or in a circle. */
export function resolveReference<T extends object>(document: object, node: T | Reference | undefined): T | undefined {
  const seen = new Set<unknown>();
  let current: unknown = node;
  while (isReference(current)) {
    if (seen.has(current)) return undefined;
    seen.add(current);
    current = nodeAt(document, current.$ref);
  }
  return typeof current === 'object' && current !== null ? (current as T) : undefined;
}
