import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { joinId, splitId } from '../../../descriptor/composite-id.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Row, StoredValue } from '../store.ts';
import type { WireRow } from './answer.ts';
import type { LiveColumn } from './mapped-catalogue.ts';
import { type Decode, decoders, encode } from './values.ts';

const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int2: [-(2n ** 15n), 2n ** 15n - 1n],
  int4: [-(2n ** 31n), 2n ** 31n - 1n],
  int8: [-(2n ** 63n), 2n ** 63n - 1n],
};
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NUMERIC = /^(?:-?\d+(?:\.\d+)?|NaN|-?Infinity)$/;
const DATE = /^(?:\d{4,}-\d\d-\d\d(?: BC)?|-?infinity)$/;
const TIME = /^\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::\d\d)?)?$/;
const TIMESTAMP =
  /^(?:\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?(?: BC)?|-?infinity)$/;
/** ISO 8601, 4.4.3.2, with signs as Postgres writes them. */
const INTERVAL =
  /^P(?=.)(?:-?\d+Y)?(?:-?\d+M)?(?:-?\d+W)?(?:-?\d+D)?(?:T(?=.)(?:-?\d+H)?(?:-?\d+M)?(?:-?\d+(?:\.\d+)?S)?)?$/;

const FORMS: Readonly<Record<string, RegExp>> = {
  uuid: UUID,
  numeric: NUMERIC,
  date: DATE,
  time: TIME,
  timetz: TIME,
  timestamp: TIMESTAMP,
  timestamptz: TIMESTAMP,
  interval: INTERVAL,
};

/** Whether a column can be compared with a text: Postgres refuses to read others, and no row has them. */
function isComparable({ base, labels }: LiveColumn, text: string): boolean {
  const range = INTEGERS[base];
  if (range) return INTEGER.test(text) && BigInt(text) >= range[0] && BigInt(text) <= range[1];
  if (labels) return labels.includes(text);
  if (base === 'inet' || base === 'cidr') return isIP(text.replace(/\/\d{1,3}$/, '')) > 0;
  return (FORMS[base]?.test(text) ?? true) && !text.includes('\0');
}

/** A value as a column is compared with it; null matches nothing. */
export function comparedWith(property: PropertyDescriptor, live: LiveColumn, value: StoredValue): StoredValue {
  const encoded = encode(property, value);
  return encoded === null || live.isArray || isComparable(live, String(encoded)) ? encoded : null;
}

/** An encoded value as a statement writes it to a column. An array is a JSON text before. */
export const storedIn = ({ isArray }: LiveColumn, value: StoredValue): StoredValue =>
  isArray && typeof value === 'string' ? arrayText(JSON.parse(value)) : value;

/** An array as Postgres reads it (PostgreSQL, 8.15.2). */
function arrayText(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `{${value.map(arrayText).join()}}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Types whose values are equal although their texts are not. */
const LOOSE = new Set(['citext', 'bpchar', 'interval', 'inet', 'cidr', 'timetz']);

export const isLoose = ({ base }: LiveColumn): boolean => LOOSE.has(base);

/** An id of several columns as their statements read it, a JSON array; null if no row can have it. */
export function comparedParts(parts: readonly LiveColumn[], value: StoredValue): StoredValue {
  const texts = typeof value === 'string' ? splitId(value) : undefined;
  if (texts?.length !== parts.length) return null;
  return parts.every((part, i) => isComparable(part, texts[i] ?? '')) ? JSON.stringify(texts) : null;
}

/** Postgres writes times without a zone with a blank; `infinity` stays. */
const localTime: Decode = (text) => text.replace(' ', 'T');
const utcTime: Decode = (text) => (isWritten(text) ? decoders['date-time'](`${text}+00`) : text);
const zonedTime: Decode = (text) => (isWritten(text) ? decoders['date-time'](text) : text);
const date: Decode = (text) => (isWritten(text) ? decoders.date(text) : text);
/** Whether RFC 3339 can write a date or a time: infinities, years of five digits and those BC stay as they are. */
const isWritten = (text: string): boolean =>
  text.charCodeAt(4) === HYPHEN && (!text.endsWith(' BC') || text.startsWith('0001'));
const HYPHEN = 45;
const padded: Decode = (text) => text.trimEnd();
/** JSON has neither `NaN` nor infinities (RFC 8259, 6). */
const finite: Decode = (text) => (Number.isFinite(Number(text)) ? Number(text) : null);

function decoderOf(property: PropertyDescriptor, live: LiveColumn): Decode | undefined {
  if (live.isArray) return decoders.json;
  if (property.type === 'date-time') return live.base === 'timestamp' ? utcTime : zonedTime;
  if (property.type === 'date') return date;
  if (live.base === 'timestamp') return localTime;
  if (live.base === 'bpchar') return padded;
  return property.type === 'number' ? finite : decoders[property.type];
}

/** Where in the wire's row the columns of a property are; none of a version that is a hash. */
export interface PropertySource {
  readonly property: PropertyDescriptor;
  readonly columns: readonly LiveColumn[];
  readonly at: readonly number[];
}

/** Hexadecimal digits of a version. */
const VERSION_LENGTH = 32;

/** Makes rows of the columns that are read: ids of several, and versions by `secret`. A column more is a position. */
export function rowDecoder(sources: readonly PropertySource[], read: number, secret: string): (wire: WireRow) => Row {
  const plan = sources.map(({ property, columns: [first, ...others], at }) => ({
    at: others.length === 0 ? (at[0] ?? MADE) : MADE,
    decode: first && decoderOf(property, first),
    make: first ? composer([first, ...others], at) : (wire: WireRow) => hashOf(wire, read, secret),
  }));
  return (wire) => {
    const row: StoredValue[] = [];
    for (const { at, decode, make } of plan) {
      const text = at === MADE ? make(wire) : (wire[at] ?? null);
      row.push(text === null || decode === undefined || at === MADE ? text : decode(text));
    }
    if (wire.length > read) row.push(Number(wire[read]));
    return row;
  };
}

/** The place of what is made of several columns, or of all. */
const MADE = -1;

function composer(columns: readonly LiveColumn[], at: readonly number[]): (wire: WireRow) => string | null {
  const isPadded = columns.map(({ base }) => base === 'bpchar');
  return (wire) => {
    const parts: string[] = [];
    for (let i = 0; i < at.length; i++) {
      const text = wire[at[i] ?? MADE];
      if (text == null) return null;
      parts.push(isPadded[i] ? text.trimEnd() : text);
    }
    return joinId(parts);
  };
}

/** No text of Postgres has the character between values; NULL is one without a sign. */
function hashOf(wire: WireRow, read: number, secret: string): string {
  let text = secret;
  for (let i = 0; i < read; i++) {
    const value = wire[i] ?? null;
    text += value === null ? '\0' : `\0=${value}`;
  }
  return hash('sha256', text, 'hex').slice(0, VERSION_LENGTH);
}
