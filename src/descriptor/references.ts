import type { OpenApiDocument, Reference, Schema } from './document.ts';
import { childPointer, pointerOfFragment, pointerTokens, valueAt } from './json-pointer.ts';

/** Whether a node of a document is a Reference Object or a schema with `$ref`. */
export function isReference(node: unknown): node is Reference {
  return typeof node === 'object' && node !== null && typeof (node as Reference).$ref === 'string';
}

/** The node at a URI fragment that is a JSON pointer (RFC 6901, section 6), or undefined. */
export function nodeAt(document: object, reference: string): unknown {
  const tokens = tokensOf(reference);
  return tokens && valueAt(document, tokens);
}

/** The tokens of a local reference; undefined for any other. */
function tokensOf(reference: string): readonly string[] | undefined {
  const pointer = reference.startsWith('#/') ? pointerOfFragment(reference.slice(1)) : undefined;
  return pointer === undefined ? undefined : pointerTokens(pointer);
}

/** Name in `components.schemas` that a `$ref` points to, if it points there. */
export function schemaNameOf(node: unknown): string | undefined {
  if (!isReference(node) || !node.$ref.startsWith('#/components/schemas/')) return undefined;
  const [, , name, ...deeper] = tokensOf(node.$ref) ?? [];
  return deeper.length === 0 ? name : undefined;
}

/** The schema itself, or what its reference leads to in the end. Throws where it leads nowhere. */
export function dereference(document: object, schema: Schema): Schema {
  const seen = new Set<Schema>();
  let found: Schema | undefined = schema;
  while (isReference(found) && !seen.has(found)) {
    seen.add(found);
    found = nodeAt(document, found.$ref) as Schema | undefined;
  }
  if (found === undefined || isReference(found)) throw new Error(`${JSON.stringify(schema)} refers to no schema`);
  return found;
}

/** The text of a reference to a schema by its name. */
export const schemaUri = (name: string): string => `#${childPointer('/components/schemas', name)}`;

/** A reference to a schema by its name; `false` where the document has none of that name. */
export function referenceTo(document: OpenApiDocument, name: string | undefined): Schema {
  const $ref = schemaUri(name ?? '');
  return name !== undefined && nodeAt(document, $ref) !== undefined ? { $ref } : false;
}
