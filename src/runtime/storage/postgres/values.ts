import type { PropertyDescriptor, PropertyType } from '../../../descriptor/resource.ts';
import type { Column, Table } from '../../../descriptor/table.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import type { Row, StoredValue } from '../store.ts';

/** A column's value as Postgres sends it. */
type WireValue = string | null;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const YEAR_ZERO = /^0000-/;
const BEFORE_CHRIST = ' BC';

export type Decode = (text: string) => StoredValue;

/** What makes the value of a text; nothing where they are the same. */
export const decoders: Partial<Record<PropertyType, Decode>> & Readonly<Record<'date' | 'date-time' | 'json', Decode>> =
  {
    integer: Number,
    number: Number,
    boolean: (text) => (text === 't' ? 1 : 0),
    date: (text) => (text.endsWith(BEFORE_CHRIST) ? `0000${text.slice(4, -BEFORE_CHRIST.length)}` : text),
    'date-time': decodeTime,
    json: compact,
  };

const QUOTE = 34;
const SPACE = 32;
/** The shortest number that JavaScript writes in another form than jsonb, 0.0000001, has one character more. */
const MAX_TOKEN = 8;

/**
 * The text of a jsonb as compact as `JSON.stringify` writes it. Spaces are taken out without parsing, but for texts with
 * escapes and for numbers that JavaScript may write with an exponent.
 */
function compact(text: string): string {
  if (text.includes('\\')) return parsedCompact(text);
  let result = '';
  let from = 0;
  let token = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = text.indexOf('"', i + 1);
      token = i + 1;
    } else if (code === SPACE) {
      result += text.slice(from, i);
      from = i + 1;
      token = from;
    } else if (i - token >= MAX_TOKEN) return parsedCompact(text);
  }
  return result + text.slice(from);
}

const parsedCompact = (text: string): string => JSON.stringify(parseStored(text));

/** `2026-01-15 12:00:00.12+00`, in UTC, as RFC 3339 with milliseconds. */
function decodeTime(text: string): string {
  const year = text.endsWith(BEFORE_CHRIST) ? '0000' : text.slice(0, 4);
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${year}${text.slice(4, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

/** Decodes rows of these columns. One additional column is a position, which is a number. */
export function createDecoder(
  columns: readonly Pick<PropertyDescriptor, 'type'>[],
): (wire: readonly WireValue[]) => Row {
  const decode = columns.map(({ type }) => decoders[type]);
  return (wire) => {
    const row: StoredValue[] = new Array(wire.length);
    for (let i = 0; i < wire.length; i++) {
      const text = wire[i]!;
      const decoder = i < decode.length ? decode[i] : Number;
      row[i] = text === null || decoder === undefined ? text : decoder(text);
    }
    return row;
  };
}

/**
 * A value as Postgres accepts it. A text that is not a UUID becomes null where a UUID is expected, and matches
 * nothing.
 */
export function encode({ type }: Pick<PropertyDescriptor, 'type'>, value: StoredValue): StoredValue {
  if (typeof value !== 'string') return value;
  switch (type) {
    case 'uuid':
      return UUID.test(value) ? value : null;
    case 'date':
    case 'date-time':
      // Postgres has no year 0: the year before 1 is 1 BC (ISO 8601 calls it 0000).
      return YEAR_ZERO.test(value) ? `${value.replace(YEAR_ZERO, '0001-')}${BEFORE_CHRIST}` : value;
    default:
      return value;
  }
}

/** A value as statements compare it with a column. */
export const compared = (column: Column, value: StoredValue): StoredValue =>
  column.compare ? column.compare(value) : encode(column, value);

/** Rows as a JSON array of objects by column, whose values are encoded. `tenants`: those of rows that do not name them. */
export function recordsOf(
  { columns, stored }: Table,
  rows: readonly Row[],
  tenants?: readonly (StoredValue | undefined)[],
): string {
  const written = tenants ? stored : columns;
  const plain = written.map(({ type }) => type !== 'json');
  const records = rows.map((row, at) => {
    const values = written.map((column, i) => {
      const value = encode(column, i < columns.length ? row[i]! : (tenants?.[at] ?? null));
      return `${JSON.stringify(column.column)}:${plain[i] ? JSON.stringify(value) : value}`;
    });
    return `{${values.join()}}`;
  });
  return `[${records.join()}]`;
}

/** A value of a column that is never null. */
export function given(value: WireValue | undefined): string {
  if (value == null) throw new Error('Postgres answered null where it has a value.');
  return value;
}
