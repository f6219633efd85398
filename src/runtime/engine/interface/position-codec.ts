import { createCipheriv, createHmac, randomInt } from 'node:crypto';
import type { Store } from '../../storage/store.ts';
import { ONE_POSITION, type PositionCodec } from './consistency.ts';

/** Positions are multiples of eight bytes; there is room for 36 petabytes, and each has 4,096 tokens. */
const UNIT = 8n;
const UNIT_BITS = 52;
const SALTS = 4_096;
/** Six are as good as a random permutation for as many tokens as anybody can collect (Patarin, 2004). */
const ROUNDS = [0, 1, 2, 3, 4, 5];
/** Eight rows commit together at most, and have one position. */
const STOCK = 8;

/**
 * A position in the write-ahead log of Postgres reveals how much others have written. So it is encrypted, with a key that all servers on a
 * database have, and looks like a token of SQLite, which asks servers of the release before for nothing. Theirs are `p` and the position.
 */
export function createPositionCodec(history: Store['history'], secret: Uint8Array): PositionCodec {
  if (history === 's') return ONE_POSITION;
  const key = createHmac('sha256', secret).update('Consistency-Token').digest().subarray(0, 16);
  const aes = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const input = Buffer.alloc(16 * STOCK);
  /**
   * A Feistel network over pairs of halves, which undoes itself with its rounds in reverse; many values cost as many calls of AES
   * as one.
   */
  const permute = (halves: DataView, rounds: readonly number[]): void => {
    for (const round of rounds) {
      for (let at = 0; at < halves.byteLength; at += 8)
        input.writeUInt32BE(halves.getUint32(at + 4), input.writeUInt32BE(round, 2 * at));
      const output = aes.update(input.subarray(0, 2 * halves.byteLength));
      for (let at = 0; at < halves.byteLength; at += 8) {
        const left = halves.getUint32(at);
        halves.setUint32(at, halves.getUint32(at + 4));
        halves.setUint32(at + 4, left ^ output.readUInt32BE(2 * at));
      }
    }
  };
  let stock = new DataView(new ArrayBuffer(0));
  /** Of the stock, the first token that is not used. */
  let next = 0;
  let last = -1n;
  /** How many the last position has needed so far. */
  let used = 0;
  /** As many as the position before needed come first, then a full stock. */
  const fill = (position: bigint): void => {
    const count = position === last ? STOCK : Math.min(Math.max(1, used), STOCK);
    if (position !== last) used = 0;
    const unit = (position + UNIT - 1n) / UNIT;
    const [high, low] = [Number(unit >> 32n), Number(BigInt.asUintN(32, unit))];
    stock = new DataView(new ArrayBuffer(8 * count));
    for (let at = 0; at < stock.byteLength; at += 8) {
      stock.setUint32(at, randomInt(SALTS) * 2 ** (UNIT_BITS - 32) + high);
      stock.setUint32(at + 4, low);
    }
    permute(stock, ROUNDS);
    last = position;
    next = 0;
  };
  return {
    encode(position) {
      if (position !== last || next === stock.byteLength) fill(position);
      const token = joined(stock, next);
      next += 8;
      used++;
      return `s${token.toString(36).padStart(13, '0')}`;
    },
    decode(token) {
      const value = numberOf(token.slice(1));
      if (value >> 64n > 0n || (token.startsWith('s') && token.length < 14)) return 0n;
      if (token.startsWith('p')) return value;
      const halves = new DataView(new ArrayBuffer(8));
      halves.setBigUint64(0, value);
      permute(halves, ROUNDS.toReversed());
      return BigInt.asUintN(UNIT_BITS, joined(halves, 0)) * UNIT;
    },
  };
}

/** The halves change places behind the last round. */
const joined = (halves: DataView, at: number): bigint =>
  (BigInt(halves.getUint32(at + 4)) << 32n) | BigInt(halves.getUint32(at));

/** Of digits in base 36. */
const numberOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
