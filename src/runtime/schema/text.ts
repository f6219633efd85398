import { findWithin } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';

/**
 * Finds the first string, or property name, that databases and JSON cannot represent: one with U+0000 or an unpaired
 * surrogate (RFC 7493, 2.1).
 */
export function findUnstorableText(value: unknown): FieldError[] | undefined {
  const found = findWithin(value, faultOf);
  return found && [{ pointer: found.pointer, detail: found.said }];
}

function faultOf(value: unknown, name: string | number): string | undefined {
  if (typeof name === 'string' && !isStorable(name))
    return 'must not have a property name with U+0000 or an unpaired surrogate';
  if (typeof value === 'string' && !isStorable(value)) return 'must not contain U+0000 or an unpaired surrogate';
  return undefined;
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
