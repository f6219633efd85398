import type { PropertyType } from '../../../descriptor/resource.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import type { PropertyDraft } from '../draft.ts';

type Scalar = string | number | boolean;

const PATTERNS: Partial<Readonly<Record<PropertyType, RegExp>>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  int64: /^(?:0|-?[1-9]\d{0,18})$/,
  decimal: /^(?!-[0.]+$)-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  // Rows keep milliseconds: no row has a finer time.
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/i,
};

/** The value as a property has it; undefined if no value of the property is like this. */
export function literalOf(property: PropertyDraft, value: Scalar): Scalar | undefined {
  const states = enumValues(property.flat);
  if (states !== undefined) return states.includes(String(value)) && typeof value === 'string' ? value : undefined;
  switch (property.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'int64':
    case 'decimal':
      return digitsOf(property.type, value);
    default:
      return typeof value === 'string' && isText(property.type, value) ? value : undefined;
  }
}

/** Such numbers are texts in JSON; a contract may write them as numbers, too, where that loses nothing. */
function digitsOf(type: 'int64' | 'decimal', value: Scalar): string | undefined {
  if (typeof value === 'number' && type === 'int64' && !Number.isSafeInteger(value)) return undefined;
  const text = String(value);
  const isKept = PATTERNS[type]!.test(text) && (type === 'decimal' || isInt64(BigInt(text)));
  return typeof value !== 'boolean' && isKept ? text : undefined;
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function isText(type: PropertyType, value: string): boolean {
  const isTime = type === 'date' || type === 'date-time';
  return (PATTERNS[type]?.test(value) ?? true) && (!isTime || isTimeOfCalendar(value)) && !value.includes('\0');
}

/** `Date` takes the 30th of February for a day in March. */
function isTimeOfCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
