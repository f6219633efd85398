import type { MediaType, Schema } from './document.ts';
import { dereference } from './references.ts';

/** How a body is written. `binary`: as it is. */
export type ContentKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

const JSON_TYPE = 'application/json';
/** Of members of `allOf` within each other. */
const MAX_DEPTH = 8;
const ROOM_FOR_JSON = new Set(['*/*', 'application/*', 'application/*+json']);
const BINARY =
  /^(?:(?:image|audio|video|font|model)\/(?!.*\+xml$)|application\/(?:octet-stream|pdf|zip|gzip|\*)$|\*\/\*$)/;
const TEXT = /^text\/|[/+](?:xml|yaml)$|^application\/(?:x-)?(?:yaml|ndjson|javascript|csv)$/;

/** `type/subtype` in lower case. */
export const essenceOf = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

/** Whether bodies of the type are JSON (RFC 6839, 3.1). */
export const isJson = (type: string): boolean => /^application\/json$|\+json$/.test(essenceOf(type));

/**
 * The bodies of a request or a response, by their media types. A range that has room for JSON stands for it, unless JSON is
 * declared itself, or the schema is binary or absent.
 */
export function contentOf<M extends MediaType>(
  document: object,
  content: Readonly<Record<string, M>> = {},
): Readonly<Record<string, M>> {
  const isDeclared = Object.keys(content).some(isJson);
  const found: Record<string, M> = {};
  for (const [type, media] of Object.entries(content)) {
    const hasRoom = !isDeclared && ROOM_FOR_JSON.has(essenceOf(type));
    const standsForJson = hasRoom && media.schema !== undefined && !isBinary(document, media.schema);
    found[standsForJson ? JSON_TYPE : type] ??= media;
  }
  return found;
}

/** The kind of a body among those that `contentOf` gives. */
export function kindOf(document: object, type: string, { schema }: MediaType): ContentKind {
  const essence = essenceOf(type);
  if (isJson(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence === 'multipart/form-data') return 'multipart';
  if (schema !== undefined && isBinary(document, schema)) return 'binary';
  if (TEXT.test(essence)) return 'text';
  return schema === undefined || BINARY.test(essence) || essence.startsWith('multipart/') ? 'binary' : 'text';
}

/** The type by which a body is sent if nothing names another one: nothing is sent under a range (RFC 9110, 8.3.1). */
export function sentType(type: string): string {
  const [kind, subtype] = essenceOf(type).split('/');
  if (subtype !== '*') return type;
  if (kind === 'text') return 'text/plain';
  return kind === '*' ? 'application/octet-stream' : `${kind}/octet-stream`;
}

/** Whether a schema describes bytes (OpenAPI 3.1, 4.8.14.2): in JSON they are text. */
export function isBinary(document: object, schema: Schema, depth = 0): boolean {
  const found = dereference(document, schema);
  if (typeof found === 'boolean' || depth > MAX_DEPTH) return false;
  const { type = 'string', format, contentMediaType, contentEncoding, allOf } = found;
  if (![type].flat().includes('string')) return false;
  if (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)) return true;
  return Array.isArray(allOf) && allOf.some((part: Schema) => isBinary(document, part, depth + 1));
}
