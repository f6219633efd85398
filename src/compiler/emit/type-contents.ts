import { contentOf, isBinary, kindOf } from '../../descriptor/content.ts';
import type { MediaType, OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference } from '../../descriptor/references.ts';
import { isNode, type Node, nodesBelow } from '../read/grammar.ts';

/** Marks the schemas whose type is `Blob`: bytes outside of JSON. */
export const BYTES = 'x-bytes';

/** Marks the arrays that have a name of their own in TypeScript. */
export const LIST_NAME = 'x-list-name';

const bytes = (): Node => ({ type: 'string', [BYTES]: true });

/** Gives the bodies of a copy the media types and the schemas that their types are made of. */
export function typeContents(copy: OpenApiDocument): void {
  for (const { node, kind } of [...nodesBelow(copy, 'document')]) {
    if (kind === 'parameter' && node['in'] === 'query' && node['allowEmptyValue'] === true)
      node['schema'] = { anyOf: [node['schema'] ?? {}, { const: '' }] };
    if ((kind !== 'requestBody' && kind !== 'response') || !isNode(node['content'])) continue;
    const content = contentOf(copy, node['content'] as Record<string, MediaType>);
    node['content'] = Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, { ...media, ...schemaOf(copy, type, media) }]),
    );
  }
}

function schemaOf(document: OpenApiDocument, type: string, media: MediaType): { readonly schema?: Schema } {
  const { schema } = media;
  const kind = kindOf(document, type, media);
  if (kind === 'binary') return { schema: bytes() };
  if (kind === 'text')
    return typeof schema === 'object' && typeOf(document, schema) === 'string' ? {} : { schema: TEXT };
  return kind === 'multipart' && schema !== undefined ? { schema: withBytes(document, schema) } : {};
}

const TEXT = { type: 'string' };
const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

const typeOf = (document: OpenApiDocument, schema: Schema): unknown => nodeOf(document, schema)['type'];

/** The schema of a form, in which parts that are files, or lists of files, are bytes; parts of other kinds are as they are. */
function withBytes(document: OpenApiDocument, schema: Schema, within: readonly unknown[] = []): Schema {
  const found = nodeOf(document, schema);
  if (within.includes(found)) return schema;
  const made: Node = { ...found };
  const { properties } = found;
  if (isNode(properties))
    made['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, partOf(document, part as Schema)]),
    );
  for (const keyword of COMPOSITIONS) {
    const parts = found[keyword];
    if (Array.isArray(parts)) made[keyword] = parts.map((one) => withBytes(document, one, [...within, found]));
  }
  return made;
}

function partOf(document: OpenApiDocument, part: Schema): Schema {
  if (isBinary(document, part)) return bytes();
  const list = nodeOf(document, part);
  return isNode(list['items']) && isBinary(document, list['items']) ? { ...list, items: bytes() } : part;
}

const nodeOf = (document: OpenApiDocument, schema: Schema): Node => {
  const found = dereference(document, schema);
  return isNode(found) ? found : {};
};
