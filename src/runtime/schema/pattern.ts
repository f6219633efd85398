/** `pattern` as Ajv runs it: ECMA-262 with the `u` flag (JSON Schema 2020-12, 6.4), or without when only that reads it. */
export const lenientPattern = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);
