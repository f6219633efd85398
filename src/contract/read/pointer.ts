/** JSON Pointer (RFC 6901) of a member of the value at `pointer`. */
export const childPointer = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The reference tokens of a pointer, or of a URI fragment that holds one (RFC 6901, 6). */
export function pointerTokens(fragment: string): string[] {
  if (fragment === '') return [];
  const tokens = decodeURIComponent(fragment).split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
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
