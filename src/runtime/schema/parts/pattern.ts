import { readPattern } from '../../../descriptor/read-pattern.ts';

/** Compiles a `pattern` for Ajv. One that cannot be read is not checked. */
export const lenientPattern = Object.assign((pattern: string): RegExp => readPattern(pattern) ?? /(?:)/, {
  code: 'lenientPattern',
});
