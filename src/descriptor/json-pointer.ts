/** JSON Pointer (RFC 6901) of a member of the value at `pointer`; the whole value is at `''`. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === 'string' && /[~/]/.test(key) ? escaped(key) : key}`;
}

/** What is said of a value with a name within another, or undefined; the outermost has the depth 1. */
type Judge = (value: unknown, name: string | number, depth: number) => string | undefined;

/** The first value of which something is said, in depth, itself included. Its pointer is built when it is found: most times none is. */
export function findWithin(
  value: unknown,
  judge: Judge,
  name: string | number = '',
  depth = 1,
): { readonly said: string; readonly pointer: string } | undefined {
  const said = judge(value, name, depth);
  if (said !== undefined) return { said, pointer: '' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const found = findWithin((value as Readonly<Record<string, unknown>>)[key], judge, key, depth + 1);
    if (found) return { said: found.said, pointer: childPointer('', key) + found.pointer };
  }
  return undefined;
}

/** The reference tokens of a pointer. */
export const pointerTokens = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped);

/** The pointer that a URI fragment, without its `#`, represents (RFC 6901, 6); undefined when it represents none. */
export function pointerOfFragment(fragment: string): string | undefined {
  const pointer = percentDecoded(fragment);
  return pointer === '' || pointer?.startsWith('/') ? pointer : undefined;
}

/** Undefined when the percent-encoding is malformed or not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The value at the path of tokens, or undefined. */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>(
    (value, token) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, token)
        ? (value as Record<string, unknown>)[token]
        : undefined,
    root,
  );
}

const escaped = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
