import { MAX_OPEN_VALUES } from '../../descriptor/body-limits.ts';
import { ApiError } from '../errors/api-error.ts';

/** What is shorter takes no time to parse: it has at most half as many values as bytes. */
export const MIN_COUNTED_BYTES = 16_384;

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
