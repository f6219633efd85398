import type { Schema } from '../../descriptor/document.ts';
import { findWithin } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';

/**
 * Finds the first string, or property name, that databases and JSON cannot represent: one with U+0000 or an unpaired
 * surrogate (RFC 7493, 2.1).
 */
export function findUnstorableText(value: unknown): FieldError[] | undefined {
  if (isStorableWithin(value)) return undefined;
  const { pointer, said } = findWithin(value, faultOf)!;
  return [{ pointer, detail: said }];
}

/** Formats whose texts are ASCII without U+0000. */
const ASCII_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'int64', 'decimal']);
const TYPES_WITHOUT_TEXT: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean']);

/** Whether no valid value of a schema can have such a text, as an id that is a UUID. */
export const isAlwaysStorable = (schema: Schema): boolean =>
  typeof schema === 'object' &&
  (TYPES_WITHOUT_TEXT.has(schema['type']) || (schema['type'] === 'string' && ASCII_FORMATS.has(schema['format'])));

/** Without places, which few values need: this is on the way of each write. */
function isStorableWithin(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableWithin);
  for (const name of Object.keys(value))
    if (!isStorable(name) || !isStorableWithin((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

function faultOf(value: unknown, name: string | number): string | undefined {
  if (typeof name === 'string' && !isStorable(name))
    return 'must not have a property name with U+0000 or an unpaired surrogate';
  if (typeof value === 'string' && !isStorable(value)) return 'must not contain U+0000 or an unpaired surrogate';
  return undefined;
}

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
