import { LRUCache } from 'lru-cache';

/** A Content-Type as far as it matters here (RFC 9110, 8.3.1). */
export interface MediaTypeField {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** In lower case. */
  readonly charset: string | undefined;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?=;|$)`);
const PARAMETER = new RegExp(
  `[ \\t]*;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*(?=;|$)`,
  'y',
);

const parsed = new LRUCache<string, { readonly field: MediaTypeField | null }>({
  max: 200,
  memoMethod: (text) => ({ field: parse(text) }),
});

/** Parses a Content-Type field; null when it is malformed. */
export function parseContentType(text: string): MediaTypeField | null {
  return parsed.memo(text).field;
}

function parse(field: string): MediaTypeField | null {
  const match = ESSENCE.exec(field);
  if (!match) return null;
  let charset: string | undefined;
  PARAMETER.lastIndex = match[0].length;
  while (PARAMETER.lastIndex < field.length) {
    const parameter = PARAMETER.exec(field);
    if (!parameter) return null;
    if (parameter[1]?.toLowerCase() === 'charset') charset = (parameter[2] ?? parameter[3])?.toLowerCase();
  }
  return { essence: match[1]!.toLowerCase(), charset };
}

/** Whether bodies of the type are JSON (RFC 6839, 3.1). */
export const isJson = (essence: string): boolean => essence === 'application/json' || essence.endsWith('+json');

/** The declared type that covers the given one: itself, its range (`image/*`), or anything. Undefined: none does. */
export function declaredTypeOf(essence: string, declared: readonly string[]): string | undefined {
  const range = `${essence.slice(0, essence.indexOf('/'))}/*`;
  return [essence, range, '*/*']
    .map((wanted) => declared.find((type) => parseContentType(type)?.essence === wanted))
    .find((type) => type !== undefined);
}
