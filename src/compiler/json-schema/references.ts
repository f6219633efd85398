import type { OpenApiDocument, Reference, Schema } from '../../descriptor/document.ts';

const SCHEMA_PREFIX = '#/components/schemas/';

/** Whether a node of a document is a Reference Object or a schema with `$ref`. */
export function isReference(node: unknown): node is Reference {
  return typeof node === 'object' && node !== null && typeof (node as Reference).$ref === 'string';
}

/** Name in `components.schemas` that a `$ref` points to, if it points there. */
export function schemaNameOf(node: unknown): string | undefined {
  if (!isReference(node) || !node.$ref.startsWith(SCHEMA_PREFIX)) return undefined;
  const [name, ...deeper] = node.$ref.slice(SCHEMA_PREFIX.length).split('/');
  return deeper.length === 0 ? unescapeToken(name!) : undefined;
}

export function schemaReference(name: string): Reference & Exclude<Schema, boolean> {
  return { $ref: SCHEMA_PREFIX + name };
}

/** Follows local references until something else stands there; undefined when one leads nowhere or in a circle. */
export function resolveReference<T extends object>(
  document: OpenApiDocument,
  node: T | Reference | undefined,
): T | undefined {
  const seen = new Set<unknown>();
  let current: unknown = node;
  while (isReference(current)) {
    if (seen.has(current)) return undefined;
    seen.add(current);
    current = nodeAt(document, current.$ref);
  }
  return typeof current === 'object' && current !== null ? (current as T) : undefined;
}

/** The node at a URI fragment that is a JSON pointer (RFC 6901, section 6). */
export function nodeAt(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = document;
  for (const token of reference.slice(2).split('/')) {
    if (typeof node !== 'object' || node === null) return undefined;
    node = (node as Record<string, unknown>)[unescapeToken(token)];
  }
  return node;
}

function unescapeToken(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}
