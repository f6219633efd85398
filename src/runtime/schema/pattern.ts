/** Compiles a `pattern` as Ajv does: with the `u` flag (JSON Schema 2020-12, 6.4), or without it if that is a syntax error. */
export const lenientPattern = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'lenientPattern' },
);
