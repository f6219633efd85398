import type { Schema } from '../../descriptor/document.ts';
import { WrittenNumber } from '../../descriptor/written-number.ts';

/** Formats whose texts are ASCII without U+0000. */
const ASCII_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'int64', 'decimal']);
const TYPES_WITHOUT_TEXT: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean']);

/** Whether no valid value of a schema can have such a text, as an id that is a UUID. */
export const isAlwaysStorable = (schema: Schema): boolean =>
  typeof schema === 'object' &&
  (TYPES_WITHOUT_TEXT.has(schema['type']) || (schema['type'] === 'string' && ASCII_FORMATS.has(schema['format'])));

/** Whether databases and JSON can represent a value. Without places, which few need: this is on the way of each write. */
export function isStorableWithin(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof WrittenNumber) return false;
  if (Array.isArray(value)) return value.every(isStorableWithin);
  for (const name of Object.keys(value))
    if (!isStorable(name) || !isStorableWithin((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
