import { randomBytes } from 'node:crypto';

/** Length of a new id. */
const DIGITS = 32;
/** Ids that are generated together: a call of `randomBytes` costs much more than its bytes. */
const BATCH = 256;

let digits = '';
let used = 0;

/** A new id: 128 random bits in hexadecimal. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes((BATCH * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return digits.slice(used - DIGITS, used);
}
