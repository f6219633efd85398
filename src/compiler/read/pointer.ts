/** JSON Pointer (RFC 6901) of a member of the value at `pointer`. */
export const childPointer = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The reference tokens of a pointer. */
export const pointerTokens = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The pointer that a URI fragment, without its `#`, represents (RFC 6901, 6); undefined when it represents none. */
export function pointerOf(fragment: string): string | undefined {
  const pointer = percentDecoded(fragment);
  return pointer === '' || pointer?.startsWith('/') ? pointer : undefined;
}

/** Undefined when a `%` begins no octet, or the octets are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The value that the tokens lead to; undefined when they lead nowhere. */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>(
    (value, token) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, token)
        ? (value as Record<string, unknown>)[token]
        : undefined,
    root,
  );
}
