import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { joinId, splitId } from '../../../descriptor/composite-id.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Row, StoredValue } from '../store.ts';
import type { WireRow } from './answer.ts';
import type { LiveColumn } from './mapped-catalogue.ts';
import { createDecoder, encode } from './values.ts';

type Decode = (text: string) => StoredValue;

const INTEGERS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int2: [-(2n ** 15n), 2n ** 15n - 1n],
  int4: [-(2n ** 31n), 2n ** 31n - 1n],
  int8: [-(2n ** 63n), 2n ** 63n - 1n],
};
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NUMERIC = /^-?\d+(?:\.\d+)?$/;
const DATE = /^\d{4,}-\d\d-\d\d(?: BC)?$/;
const TIME = /^\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::\d\d)?)?$/;
const TIMESTAMP = /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?(?: BC)?$/;
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
const utcTime: Decode = (text) => decodeTime(`${text}+00`);
const padded: Decode = (text) => text.trimEnd();
/** JSON has neither `NaN` nor infinities (RFC 8259, 6). */
const finite: Decode = (text) => (Number.isFinite(Number(text)) ? Number(text) : null);

const [decodeTime, decodeJson] = (['date-time', 'json'] as const).map((type): Decode => {
  const decode = createDecoder([{ type }]);
  return (text) => decode([text])[0] ?? null;
}) as [Decode, Decode];

function decoderOf(property: PropertyDescriptor, live: LiveColumn): Decode | undefined {
  if (live.isArray || property.type === 'json') return decodeJson;
  if (property.type === 'date-time') return live.base === 'timestamp' ? utcTime : decodeTime;
  if (live.base === 'timestamp') return localTime;
  if (live.base === 'bpchar') return padded;
  if (property.type === 'string') return undefined;
  if (property.type === 'number') return finite;
  const decode = createDecoder([property]);
  return (text) => decode([text])[0] ?? null;
}

/** Where in the wire's row the columns of a property are; none of a version that is a hash. */
export interface PropertySource {
  readonly property: PropertyDescriptor;
  readonly columns: readonly LiveColumn[];
  readonly at: readonly number[];
}

/** Bytes of a version, in hexadecimal. */
const VERSION_LENGTH = 32;

/** Makes rows of the columns that are read: ids of several, and versions by `secret`. A column more is a position. */
export function rowDecoder(sources: readonly PropertySource[], read: number, secret: string): (wire: WireRow) => Row {
  const plan = sources.map(({ property, columns, at }) => ({
    at,
    decode: columns.length === 1 ? columns.map((column) => decoderOf(property, column))[0] : undefined,
    isPadded: columns.map(({ base }) => base === 'bpchar'),
  }));
  return (wire) => {
    const row: StoredValue[] = [];
    for (const { at, decode, isPadded } of plan) {
      const [first, ...others] = at;
      if (first === undefined) row.push(hashOf(wire, read, secret));
      else if (others.length > 0) row.push(composed(wire, at, isPadded));
      else {
        const text = wire[first] ?? null;
        row.push(text === null || !decode ? text : decode(text));
      }
    }
    if (wire.length > read) row.push(Number(wire[read]));
    return row;
  };
}

function composed(wire: WireRow, at: readonly number[], isPadded: readonly boolean[]): string | null {
  const parts: string[] = [];
  for (const [i, position] of at.entries()) {
    const text = wire[position];
    if (text == null) return null;
    parts.push(isPadded[i] ? text.trimEnd() : text);
  }
  return joinId(parts);
}

/** No text of Postgres has the characters that stand between values and for NULL. */
function hashOf(wire: WireRow, read: number, secret: string): string {
  let text = secret;
  for (let i = 0; i < read; i++) text += `\0${wire[i] ?? '\0'}`;
  return hash('sha256', text, 'hex').slice(0, VERSION_LENGTH);
}
