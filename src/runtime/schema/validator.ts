import type { ValidateFunction } from 'ajv';
import type { Schema } from '../../descriptor/document.ts';
import { withDoubles } from '../../descriptor/written-number.ts';
import { toFieldErrors } from './field-errors.ts';
import type { Validate } from './schema-registry.ts';
import { isAlwaysStorable, isStorableWithin } from './text.ts';
import { findUnstorable, withUnstorable } from './unstorable.ts';

/**
 * In longer values, only the first fault is found: to find all takes several times as long as to parse them. In those that
 * code makes, an earlier fault must not hide a later one.
 */
const MAX_SEARCHED = { input: 16_000, output: 1_000_000 };

/** Compile a schema: to stop at the first fault, which is fast, or to find every fault. */
interface Compilers {
  readonly first: () => ValidateFunction;
  readonly every: () => ValidateFunction;
}

/** Validates, and compiles the schema on first use unless `compile` has been called. */
export interface Validator {
  readonly validate: Validate;
  readonly compile: () => void;
}

/** Only a value that is not valid is validated again, to find all faults. Schemas judge doubles; input must be storable, too. */
export function createValidator(schema: Schema, { first, every }: Compilers, isInput: boolean): Validator {
  const isStorable = !isInput || isAlwaysStorable(schema);
  const most = isInput ? MAX_SEARCHED.input : MAX_SEARCHED.output;
  let isValid: ValidateFunction | undefined;
  let search: ValidateFunction | undefined;
  return {
    compile: () => {
      isValid ??= first();
      search ??= every();
    },
    validate: (value) => {
      isValid ??= first();
      if (isValid(value)) return isStorable || isStorableWithin(value) ? undefined : findUnstorable(value);
      const judged = withDoubles(value);
      if (judged !== value && isValid(judged)) return isInput ? findUnstorable(value) : undefined;
      if (lengthUpTo(most, judged) >= most) return toFieldErrors(isValid.errors!);
      search ??= every();
      search(judged);
      const errors = toFieldErrors(search.errors!);
      return isInput ? withUnstorable(errors, value) : errors;
    },
  };
}

/** About the length of a value's JSON, in which each value counts at least eight: it may have a fault. Stops at the limit. */
function lengthUpTo(limit: number, value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const children = Array.isArray(value) ? value : Object.values(value);
  let length = 8 * children.length;
  for (let i = 0; i < children.length && length < limit; i++)
    length += (names[i]?.length ?? 0) + lengthUpTo(limit - length, children[i]);
  return length;
}
