import { dateOf, isDate, isDateTime } from '../../../descriptor/formats/date-time.ts';
import { isDecimal, isInt64, isUuid } from '../../../descriptor/formats/formats.ts';
import type { JsonValue, PropertyType } from '../../../descriptor/resource.ts';
import type { StoredValue } from '../store.ts';

/** A value of a column of another type. */
interface Converted {
  /** In the form of the new type; undefined: it has no such form. */
  readonly stored: StoredValue | undefined;
  /** In JSON: of the new type, or as it was, which breaks the schema of the new one. */
  readonly value: JsonValue;
}

const NUMERIC: readonly PropertyType[] = ['integer', 'int64', 'number', 'decimal'];
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEANS: Readonly<Record<string, 0 | 1>> = { true: 1, '1': 1, false: 0, '0': 0 };

/** A stored value, other than NULL, as the SQL converts it that a plan proposes. */
export function converted(stored: string | number, from: PropertyType, to: PropertyType): Converted {
  const text = textOf(stored, from, to);
  if (text === undefined) return { stored: undefined, value: JSON.parse(String(stored)) };
  const found = to === 'json' ? jsonOf(text, from) : storedForm(text, to);
  if (found === undefined) return { stored: found, value: text };
  if (to === 'json') return { stored: found, value: JSON.parse(String(found)) };
  return { stored: found, value: to === 'boolean' ? found === 1 : found };
}

/** As the server writes it; undefined: an object or an array. */
function textOf(stored: string | number, from: PropertyType, to: PropertyType): string | undefined {
  const text = String(stored);
  switch (from) {
    case 'boolean':
      return NUMERIC.includes(to) ? text : String(stored === 1);
    case 'date':
      return to === 'date-time' ? `${text}T00:00:00.000Z` : text;
    case 'date-time':
      return to === 'date' ? text.replace('T00:00:00.000Z', '') : text;
    case 'json': {
      if (!isJson(text)) return text;
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object') return undefined;
      return typeof value === 'string' ? value : text;
    }
    default:
      return text;
  }
}

/** Another program may have written what is not. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const jsonOf = (text: string, from: PropertyType): string =>
  from === 'integer' || from === 'number' || from === 'boolean' ? text : JSON.stringify(text);

function storedForm(text: string, to: PropertyType): StoredValue | undefined {
  switch (to) {
    case 'uuid':
      return isUuid(text) ? text.toLowerCase() : undefined;
    case 'date':
      return isDate(text) ? text : undefined;
    case 'date-time':
      return isDateTime(text) ? dateOf(text).toISOString() : undefined;
    case 'boolean':
      return Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
    case 'decimal':
      return isDecimal(text) ? text : undefined;
    case 'int64': {
      const whole = text.replace(/\.0+$/, '');
      return isInt64(whole) ? whole : undefined;
    }
    case 'integer':
      return JSON_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) + 0 : undefined;
    case 'number':
      return JSON_NUMBER.test(text) && isHeld(text) ? Number(text) + 0 : undefined;
    default:
      return text;
  }
}

/** Whether a double holds a number: a fraction is rounded to the nearest one, an integer is not. */
function isHeld(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  return !/^-?\d+$/.test(text) || BigInt(number) === BigInt(text);
}
