import { childPointer } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';

/**
 * Finds strings, including property names, that databases and JSON cannot represent: those with U+0000 or an unpaired
 * surrogate (RFC 7493, 2.1). Returns one error per place.
 */
export function findUnstorableText(value: unknown): FieldError[] | undefined {
  const faults: FieldError[] = [];
  visit(value, '', faults);
  return faults.length > 0 ? faults : undefined;
}

function visit(value: unknown, pointer: string, faults: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.push({ pointer, detail: 'must not contain U+0000 or an unpaired surrogate' });
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i];
      if (isDeep(item)) visit(item, childPointer(pointer, i), faults);
    }
  } else if (typeof value === 'object' && value !== null) {
    visitProperties(value as Record<string, unknown>, pointer, faults);
  }
}

function visitProperties(value: Record<string, unknown>, pointer: string, faults: FieldError[]): void {
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) {
      faults.push({ pointer, detail: 'must not have a property name with U+0000 or an unpaired surrogate' });
      continue;
    }
    const child = value[name];
    if (typeof child === 'string' ? !isStorable(child) : isDeep(child))
      visit(child, childPointer(pointer, name), faults);
  }
}

const isDeep = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
