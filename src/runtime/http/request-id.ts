import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids that are safe in logs, headers and JSON, whatever reads them. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** Of a new id: 128 random bits in hexadecimal. */
const DIGITS = 32;
/** Ids whose bits are drawn at once. */
const DRAWN = 256;

let digits = '';
let used = 0;

/** The caller's `X-Request-Id` when it is harmless, so that one id follows a request through many services. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : newId();
}

function newId(): string {
  if (used === digits.length) {
    digits = randomBytes((DRAWN * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return digits.slice(used - DIGITS, used);
}
