import { createCipheriv, createHmac, randomInt } from 'node:crypto';
import type { Store } from '../../storage/store.ts';
import { ONE_POSITION, type PositionCodec } from './consistency.ts';

/** Positions are multiples of eight bytes; there is room for 36 petabytes, and each has 4,096 tokens. */
const UNIT = 8n;
const UNIT_BITS = 52;
/** Six are as good as a random permutation for as many tokens as anybody can collect (Patarin, 2004). */
const ROUNDS = [0, 1, 2, 3, 4, 5];

/**
 * A position in the write-ahead log of Postgres reveals how much others have written. So it is encrypted, with a key that all servers on a
 * database have, and looks like a token of SQLite, which asks servers of the release before for nothing. Theirs are `p` and the position.
 */
export function createPositionCodec(history: Store['history'], secret: Uint8Array): PositionCodec {
  if (history === 's') return ONE_POSITION;
  const key = createHmac('sha256', secret).update('Consistency-Token').digest().subarray(0, 16);
  const aes = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const input = Buffer.alloc(16);
  /** A Feistel network, which undoes itself with its rounds in reverse. */
  const permuted = (value: bigint, rounds: readonly number[]): bigint => {
    let [left, right] = [Number(value >> 32n), Number(BigInt.asUintN(32, value))];
    for (const round of rounds) {
      input.writeUInt32BE(right, input.writeUInt32BE(round));
      [left, right] = [right, (left ^ aes.update(input).readUInt32BE()) >>> 0];
    }
    return (BigInt(right) << 32n) | BigInt(left);
  };
  return {
    encode(position) {
      const salted = (BigInt(randomInt(4_096)) << BigInt(UNIT_BITS)) + (position + UNIT - 1n) / UNIT;
      return `s${permuted(salted, ROUNDS).toString(36).padStart(13, '0')}`;
    },
    decode(token) {
      const value = numberOf(token.slice(1));
      if (value >> 64n > 0n || (token.startsWith('s') && token.length < 14)) return 0n;
      return token.startsWith('p') ? value : BigInt.asUintN(UNIT_BITS, permuted(value, ROUNDS.toReversed())) * UNIT;
    },
  };
}

/** Of digits in base 36. */
const numberOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
