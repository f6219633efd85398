import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONSISTENCY_TOKEN_PATTERN } from '../../../src/descriptor/implied-patterns.ts';
import { createPositionCodec } from '../../../src/runtime/engine/interface/position-codec.ts';

const secret = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const postgres = createPositionCodec('p', secret(1));
const positions = fc.bigInt({ min: 0n, max: 2n ** 52n - 1n }).map((unit) => unit * 8n);

/** What a server of the release before this codec takes a token for, in a history. */
function askedBefore(token: string, history: 'p' | 's'): bigint {
  const [, own, digits] = /^([ps])([\da-z]{1,13})$/.exec(token)!;
  return own === history ? [...digits!].reduce((all, one) => all * 36n + BigInt(Number.parseInt(one, 36)), 0n) : 0n;
}

describe('tokens of positions on Postgres', () => {
  it('are read by each server with the same secret, and by no other', () => {
    const [same, other] = [createPositionCodec('p', secret(1)), createPositionCodec('p', secret(2))];
    let taken = 0;
    fc.assert(
      fc.property(positions, (position) => {
        const token = postgres.encode(position);
        expect(same.decode(token)).toBe(position);
        if (other.decode(token) === position) taken++;
      }),
    );
    expect(taken).toBeLessThan(2);
  });

  it('of one position differ, however many are asked for, and stand for no other position', () => {
    const codec = createPositionCodec('p', secret(1));
    const asked = [8n, 8n, 8n, 16n, 16n, 8n, ...Array.from({ length: 30 }, () => 800n), 16n];
    const tokens = asked.map((position) => codec.encode(position));
    expect(tokens.map((token) => codec.decode(token))).toEqual(asked);
    // Of 30 salts among 4,096, more than a few are hardly the same.
    expect(new Set(tokens).size).toBeGreaterThan(30);
  });

  it('lie behind positions that are no multiple of eight', () => {
    expect([1n, 8n, 9n].map((position) => postgres.decode(postgres.encode(position)))).toEqual([8n, 8n, 16n]);
  });

  it('fit the published pattern, and ask servers of the release before for nothing', () => {
    const pattern = new RegExp(CONSISTENCY_TOKEN_PATTERN);
    fc.assert(
      fc.property(positions, (position) => {
        const token = postgres.encode(position);
        expect([token.length, pattern.test(token), askedBefore(token, 'p')]).toEqual([14, true, 0n]);
      }),
    );
  });

  it('of the release before say what they said, also where none is that long', () => {
    for (const [token, position] of [
      ['p0', 0n],
      ['p3w5e', BigInt(Number.parseInt('3w5e', 36))],
      ['p3w5e11264sgsf', 2n ** 64n - 1n],
      ['p3w5e11264sgsg', 0n],
      ['pzzzzzzzzzzzzz', 0n],
    ] as const)
      expect(postgres.decode(token), token).toBe(position);
  });

  it('of SQLite, and of nothing, ask for nothing', () => {
    for (const token of ['s0', 's1', 'szzzzzzzzzzzz', 's3w5e11264sgsg', 'szzzzzzzzzzzzz'])
      expect(postgres.decode(token), token).toBe(0n);
  });

  it('do not tell which is later, or how much', () => {
    const tokens = Array.from({ length: 1_000 }, (_, i) => postgres.encode(BigInt(i) * 8n));
    const rises = tokens.filter((token, i) => i > 0 && token > tokens[i - 1]!).length;
    expect(rises).toBeGreaterThan(400);
    expect(rises).toBeLessThan(600);
    // The first of 13 digits is at most 3.
    expect(new Set(tokens.map((token) => token[2])).size).toBe(36);
  });

  it('do not tell that nothing has been written between two', () => {
    const tokens = Array.from({ length: 20 }, () => postgres.encode(4_096n));
    expect(new Set(tokens).size).toBeGreaterThan(15);
    expect(new Set(tokens.map((token) => postgres.decode(token)))).toEqual(new Set([4_096n]));
  });
});

describe('tokens on SQLite', () => {
  it('are all the same, and ask for nothing, whatever they are', () => {
    const sqlite = createPositionCodec('s', secret(1));
    expect([0n, 8n].map(sqlite.encode)).toEqual(['s0', 's0']);
    for (const token of ['s0', 'p3w5e', postgres.encode(8n)]) expect(sqlite.decode(token)).toBe(0n);
  });
});
