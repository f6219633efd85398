import * as contentType from 'content-type';
import { LRUCache } from 'lru-cache';

/** The parts of a Content-Type that the server uses (RFC 9110, 8.3.1). */
export interface MediaTypeField {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** In lower case. */
  readonly charset: string | undefined;
  /** What stands between the parts of a multipart body. */
  readonly boundary: string | undefined;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})[ \\t]*`;
const MEDIA_TYPE = new RegExp(`^[ \\t]*${TOKEN}/${TOKEN}[ \\t]*(?:;[ \\t]*(?:${PARAMETER})?)*$`);
const QUOTED_VALUES = new RegExp(QUOTED, 'g');

const parsed = new LRUCache<string, { readonly field: MediaTypeField | null }>({
  max: 200,
  memoMethod: (text) => ({ field: parse(text) }),
});

/** Parses a Content-Type field; null when it is malformed. */
export function parseContentType(text: string): MediaTypeField | null {
  return parsed.memo(text).field;
}

/** `content-type` is lenient: violations of the grammar and repeated parameters (RFC 6838, 4.3) are rejected here. */
function parse(field: string): MediaTypeField | null {
  if (!MEDIA_TYPE.test(field)) return null;
  const { type, parameters } = contentType.parse(field);
  const named = field.replaceAll(QUOTED_VALUES, '').split('=').length - 1;
  if (named > Object.keys(parameters).length) return null;
  return { essence: type, charset: parameters['charset']?.toLowerCase(), boundary: parameters['boundary'] };
}

/** Whether bodies of the type are JSON (RFC 6839, 3.1). */
export const isJson = (essence: string): boolean => essence === 'application/json' || essence.endsWith('+json');

/** The declared type that matches the given one: the same type, its range (`image/*`), or any type. */
export function declaredTypeOf(essence: string, declared: readonly string[]): string | undefined {
  const range = `${essence.slice(0, essence.indexOf('/'))}/*`;
  return [essence, range, '*/*']
    .map((wanted) => declared.find((type) => parseContentType(type)?.essence === wanted))
    .find((type) => type !== undefined);
}
