import { createCipheriv, createHmac, randomInt } from 'node:crypto';
import type { Store } from '../../storage/store.ts';
import { ONE_POSITION, type PositionCodec } from './consistency.ts';

/** Positions are multiples of eight bytes; there is room for 36 petabytes, and each has 4,096 tokens. */
const UNIT = 8n;
const UNIT_BITS = 52;
/** Six are as good as a random permutation for as many tokens as anybody can collect (Patarin, 2004). */
const ROUNDS = [0, 1, 2, 3, 4, 5];
/** Rows that commit together have one position: one is followed by seven more at most. */
const STOCK = 7;

/**
 * A position in the write-ahead log of Postgres reveals how much others have written. So it is encrypted, with a key that all servers on a
 * database have, and looks like a token of SQLite, which asks servers of the release before for nothing. Theirs are `p` and the position.
 */
export function createPositionCodec(history: Store['history'], secret: Uint8Array): PositionCodec {
  if (history === 's') return ONE_POSITION;
  const key = createHmac('sha256', secret).update('Consistency-Token').digest().subarray(0, 16);
  const aes = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const input = Buffer.alloc(16 * STOCK);
  /** A Feistel network, which undoes itself with its rounds in reverse; many values cost as many calls of AES as one. */
  const permuted = (values: readonly bigint[], rounds: readonly number[]): bigint[] => {
    const halves = values.map((value) => ({ left: Number(value >> 32n), right: Number(BigInt.asUintN(32, value)) }));
    for (const round of rounds) {
      for (const [i, { right }] of halves.entries()) input.writeUInt32BE(right, input.writeUInt32BE(round, 16 * i));
      const output = aes.update(input.subarray(0, 16 * values.length));
      for (const [i, half] of halves.entries()) {
        const { left, right } = half;
        half.left = right;
        half.right = (left ^ output.readUInt32BE(16 * i)) >>> 0;
      }
    }
    return halves.map(({ left, right }) => (BigInt(right) << 32n) | BigInt(left));
  };
  const salted = (position: bigint): bigint =>
    (BigInt(randomInt(4_096)) << BigInt(UNIT_BITS)) + (position + UNIT - 1n) / UNIT;
  let last = -1n;
  /** Further tokens of the last position. */
  let stock: bigint[] = [];
  return {
    encode(position) {
      const isFurther = position === last;
      last = position;
      if (!isFurther || stock.length === 0)
        stock = permuted(
          Array.from({ length: isFurther ? STOCK : 1 }, () => salted(position)),
          ROUNDS,
        );
      return `s${(stock.pop() ?? 0n).toString(36).padStart(13, '0')}`;
    },
    decode(token) {
      const value = numberOf(token.slice(1));
      if (value >> 64n > 0n || (token.startsWith('s') && token.length < 14)) return 0n;
      if (token.startsWith('p')) return value;
      const [unit = 0n] = permuted([value], ROUNDS.toReversed());
      return BigInt.asUintN(UNIT_BITS, unit) * UNIT;
    },
  };
}

/** Of digits in base 36. */
const numberOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
