import { findWithin } from '../../descriptor/json-pointer.ts';
import { WrittenNumber } from '../../descriptor/written-number.ts';
import type { FieldError } from '../errors/api-error.ts';
import { isStorable } from './text.ts';

/** What is said of a number that a double would change. */
export const ROUNDED = 'is a number that would be rounded: a string keeps its digits';

/**
 * Finds the first string, or property name, that databases and JSON cannot represent, one with U+0000 or an unpaired
 * surrogate, or number that a double would change (RFC 7493, 2.1 and 2.2).
 */
export function findUnstorable(value: unknown): FieldError[] | undefined {
  const found = findWithin(value, faultOf);
  return found && [{ pointer: found.pointer, detail: found.said }];
}

/** The faults with that of a value that cannot be stored. What a schema refuses need not be said to be rounded, too. */
export function withUnstorable(errors: readonly FieldError[], value: unknown): readonly FieldError[] {
  const found = findWithin(value, faultOf);
  const isKnown = (error: FieldError): boolean => 'pointer' in error && error.pointer === found?.pointer;
  if (!found || (found.said === ROUNDED && errors.some(isKnown))) return errors;
  return [...errors, { pointer: found.pointer, detail: found.said }];
}

function faultOf(value: unknown, name: string | number): string | undefined {
  if (typeof name === 'string' && !isStorable(name))
    return 'must not have a property name with U+0000 or an unpaired surrogate';
  if (typeof value === 'string' && !isStorable(value)) return 'must not contain U+0000 or an unpaired surrogate';
  return value instanceof WrittenNumber ? ROUNDED : undefined;
}
