import { fullFormats } from 'ajv-formats/dist/formats.js';

type Format = (text: string) => boolean;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ZERO = /^-[0.]+$/;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** RFC 9562, 4: the hyphenated form only, in either case. */
export const isUuid: Format = (text) => text.length === 36 && UUID.test(text);

/** RFC 3339 `full-date`, of a day that exists. */
export const isDate: Format = (text) => {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
};

/** RFC 3339 `date-time` that rows can store: at most milliseconds, no leap second, a UTC year from 0000 to 9999. */
export const isDateTime: Format = (text) => {
  const date = DATE_TIME.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
};

/** RFC 5321 mailbox: a dot-atom, `@`, and a domain name with at least two labels. */
export const isEmail: Format = (text) => {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL_PART.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label));
};

/** RFC 3986 `URI`, with a scheme. */
export const isUri: Format = (text) => (fullFormats.uri as Format)(text) && URL.canParse(text);

/** A signed 64-bit integer as digits: no plus, no leading zero, no exponent. */
export const isInt64: Format = (text) => {
  if (!CANONICAL_INTEGER.test(text)) return false;
  const value = BigInt(text);
  return value >= MIN_INT64 && value <= MAX_INT64;
};

/** A decimal number as digits: no plus, no leading zero, no exponent, no negative zero. */
export const isDecimal: Format = (text) => DECIMAL.test(text) && !ZERO.test(text);

/** The formats that are validated. Any other format is an annotation. */
export const formats: Readonly<Record<string, Format | RegExp>> = {
  uuid: isUuid,
  date: isDate,
  'date-time': isDateTime,
  email: isEmail,
  uri: isUri,
  int64: isInt64,
  decimal: isDecimal,
  'uri-reference': fullFormats['uri-reference'] as RegExp,
  hostname: fullFormats.hostname as RegExp,
  ipv4: fullFormats.ipv4 as RegExp,
  ipv6: fullFormats.ipv6 as RegExp,
};

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
