import { childPointer } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';
import { shortened } from '../errors/bounded.ts';
import { MAX_FIELD_ERRORS } from './field-errors.ts';

/** No answer has a longer one. */
const MAX_POINTER = 1_000;

/**
 * Finds strings, including property names, that databases and JSON cannot represent: those with U+0000 or an unpaired
 * surrogate (RFC 7493, 2.1). Returns one error per place.
 */
export function findUnstorableText(value: unknown): FieldError[] | undefined {
  if (isStorableWithin(value)) return undefined;
  const faults: FieldError[] = [];
  visit(value, '', faults);
  return faults;
}

/** Builds no pointers: nearly all values are. */
function isStorableWithin(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableWithin);
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).every((name) => isStorable(name) && isStorableWithin(members[name]));
}

function visit(value: unknown, pointer: string, faults: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.push({ pointer, detail: 'must not contain U+0000 or an unpaired surrogate' });
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length && faults.length < MAX_FIELD_ERRORS; i++) {
      const item = value[i];
      if (isDeep(item)) visit(item, within(pointer, i), faults);
    }
  } else if (typeof value === 'object' && value !== null) {
    visitProperties(value as Record<string, unknown>, pointer, faults);
  }
}

function visitProperties(value: Record<string, unknown>, pointer: string, faults: FieldError[]): void {
  for (const name of Object.keys(value)) {
    if (faults.length === MAX_FIELD_ERRORS) return;
    if (!isStorable(name)) {
      faults.push({ pointer, detail: 'must not have a property name with U+0000 or an unpaired surrogate' });
      continue;
    }
    const child = value[name];
    if (typeof child === 'string' ? !isStorable(child) : isDeep(child)) visit(child, within(pointer, name), faults);
  }
}

/** Names may be as long as a body, and each pointer is copied. */
const within = (pointer: string, key: string | number): string => shortened(childPointer(pointer, key), MAX_POINTER);

const isDeep = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
