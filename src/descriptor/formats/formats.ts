import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDate, isDateTime, isLocalDateTime } from './date-time.ts';

type Format = (text: string) => boolean;

/** RFC 9562, 4: the hyphenated form only, in either case. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ZERO = /^-[0.]+$/;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

export const isUuid: Format = (text) => UUID.test(text);

/** RFC 5321 mailbox: a dot-atom, `@`, and a domain name with at least two labels. */
const isEmail: Format = (text) => {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL_PART.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label));
};

/** RFC 3986 `URI`, with a scheme. */
const isUri: Format = (text) => (fullFormats.uri as Format)(text) && URL.canParse(text);

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
  uuid: UUID,
  date: isDate,
  'date-time': isDateTime,
  'date-time-local': isLocalDateTime,
  email: isEmail,
  uri: isUri,
  int64: isInt64,
  decimal: isDecimal,
  'uri-reference': fullFormats['uri-reference'] as RegExp,
  hostname: fullFormats.hostname as RegExp,
  ipv4: fullFormats.ipv4 as RegExp,
  ipv6: fullFormats.ipv6 as RegExp,
};
