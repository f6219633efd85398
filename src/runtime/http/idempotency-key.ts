import { ApiError } from '../errors/api-error.ts';

/** A string (RFC 9651, 3.3.3), or the same characters without quotes, which many clients send. */
const KEY = /^(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** The key in an `Idempotency-Key` field. Throws `VALIDATION_FAILED`. */
export function readIdempotencyKey(field: string | readonly string[]): string {
  const [, quoted, bare] = (typeof field === 'string' && KEY.exec(field.trim())) || [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  if (bare !== undefined) return bare;
  const detail = 'must be a string of 1 to 255 visible ASCII characters';
  throw new ApiError('VALIDATION_FAILED', {
    detail: 'The request does not match the contract.',
    errors: [{ header: 'Idempotency-Key', detail }],
  });
}
