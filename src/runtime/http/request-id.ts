import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids that are safe in logs, headers and JSON. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** Length of a new id. */
const DIGITS = 32;
/** Ids that are generated together: a call of `randomBytes` costs much more than its bytes. */
const BATCH = 256;

let digits = '';
let used = 0;

/** The caller's `X-Request-Id` if it is safe, so that a request has the same id in all services; else a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : newRequestId();
}

/** A new id: 128 random bits in hexadecimal. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes((BATCH * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return digits.slice(used - DIGITS, used);
}
