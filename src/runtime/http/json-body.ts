import { isUtf8 } from 'node:buffer';
import { MAX_OPEN_VALUES } from '../../descriptor/body-limits.ts';
import { findWithin } from '../../descriptor/json-pointer.ts';
import { sentNumber } from '../../descriptor/written-number.ts';
import { ApiError } from '../errors/api-error.ts';
import { shortened } from '../errors/bounded.ts';
import { findJsonFault } from './json-fault.ts';

/** Deepest nesting of arrays and objects that a body may have. */
const MAX_JSON_DEPTH = 64;

/** Parsing may have changed a number from here on: doubles do not hold each integer. */
const LARGE = 2 ** 53;

const LINE_FEED = 0x0a;

/** Text that may contain a property name that poisons prototypes, possibly escaped. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/**
 * Parses JSON (RFC 8259). Throws `MALFORMED_REQUEST` with the position of the fault when the bytes are not UTF-8 or not
 * valid JSON, nest too deeply, or contain property names that poison prototypes, and `CONTENT_TOO_LARGE`.
 */
export function parseJson(bytes: Buffer, maxValues?: number): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  checkValues(bytes, 'The body', maxValues);
  return parseJsonText(bytes.toString('utf8'), 'The body');
}

/** The same for text; `subject` names it in errors. Numbers that doubles change are `WrittenNumber`, for validators to refuse. */
export function parseJsonText(text: string, subject: string): unknown {
  const value = parse(text, subject);
  const isSuspect = isDeepOrLarge(value, MAX_JSON_DEPTH);
  const fault = isSuspect || SUSPICIOUS.test(text) ? findWithin(value, faultOf) : undefined;
  if (fault) throw malformed(`${subject} ${fault.said} at ${shortened(fault.pointer)}.`);
  return isSuspect ? JSON.parse(text, sentNumber) : value;
}

function parse(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { position, expected } = findJsonFault(text);
    let line = 1;
    for (let i = 0; i < position; i++) if (text.charCodeAt(i) === LINE_FEED) line += 1;
    const column = position - text.lastIndexOf('\n', position - 1);
    const place = `line ${line}, column ${column} (position ${position})`;
    throw malformed(`${subject} is not valid JSON: ${expected} expected at ${place}.`);
  }
}

/** Whether a value nests more levels deep, or has a number that parsing may have changed. */
function isDeepOrLarge(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= LARGE;
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeepOrLarge(item, levels - 1));
  for (const name of Object.keys(value))
    if (isDeepOrLarge((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}

function faultOf(value: unknown, name: string | number, depth: number): string | undefined {
  const isObject = typeof value === 'object' && value !== null;
  if (name === '__proto__' || (name === 'constructor' && isObject && Object.hasOwn(value, 'prototype')))
    return 'has a forbidden property name';
  return isObject && depth > MAX_JSON_DEPTH ? `nests more than ${MAX_JSON_DEPTH} levels deep` : undefined;
}

const malformed = (detail: string): ApiError => new ApiError('MALFORMED_REQUEST', { detail });

/** What is shorter takes no time to parse: it has at most half as many values as bytes. */
const MIN_COUNTED_BYTES = 16_384;

/** Bytes of a text that are compared one by one. For the end of a longer one, to search is faster. */
const NEAR = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/**
 * Counts the values of JSON before it is parsed, which takes much longer where they are many. `most` is the limit of a
 * schema; `subject` names the JSON in errors. Throws `CONTENT_TOO_LARGE`.
 */
export function checkValues(bytes: Uint8Array, subject: string, most?: number): void {
  if (hasMoreValues(bytes, most ?? MAX_OPEN_VALUES)) throw tooManyValues(subject, most);
}

export function tooManyValues(subject: string, most?: number): ApiError {
  const reason = most === undefined ? '' : ' Bounds such as `maxItems` in the schema set this limit.';
  const detail = `${subject} has more than ${(most ?? MAX_OPEN_VALUES).toLocaleString('en')} values.${reason}`;
  return new ApiError('CONTENT_TOO_LARGE', { detail });
}

/** What is short is not counted. One loop without calls: as two functions it takes three times as long. */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  if (bytes.length < MIN_COUNTED_BYTES) return false;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    // Space and numbers, which may be long.
    if (byte < QUOTE || (byte > COMMA && byte < BRACKET)) continue;
    if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > most) return true;
    if (byte !== QUOTE) continue;
    const far = i + NEAR;
    while (++i < bytes.length && bytes[i] !== QUOTE) {
      if (bytes[i] === BACKSLASH) i++;
      else if (i === far) {
        const end = bytes.indexOf(QUOTE, i);
        if (bytes[end - 1] !== BACKSLASH) i = end === -1 ? bytes.length : end - 1;
      }
    }
  }
  return false;
}
