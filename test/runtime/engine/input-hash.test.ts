import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from '../../../src/runtime/engine/transaction/input-hash.ts';

/** What releases have kept with answers: a copy of the value in which objects are lists of their members, sorted by name. */
function keptHash(value: unknown): string {
  const text = JSON.stringify(canonical(value)) ?? '';
  return createHash('sha256').update(text).digest('base64url');
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]);
}

const hash = (value: unknown): string => hashOf(value, () => false);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', '10', '9'),
);

test('the hash of an input is what releases have kept with their answers', () => {
  const values = [fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined), texts];
  const input = fc.anything({ key: texts, values, maxDepth: 5, withNullPrototype: true });
  fc.assert(
    fc.property(input, (value) => {
      expect(hash(value)).toBe(keptHash(value));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['nothing', undefined],
  ['a long text', { a: '"€'.repeat(200_000) }],
  ['many texts', Array.from({ length: 5_000 }, (_, i) => `${i}€`)],
  ['many members', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${(i * 7919) % 5_000}`, { i }]))],
])('so is that of %s', (_, value) => {
  expect(hash(value)).toBe(keptHash(value));
});

test('members of the value itself may count as absent', () => {
  const isNull = (_name: string, member: unknown): boolean => member === null;
  expect(hashOf({ a: null, b: { a: null } }, isNull)).toBe(keptHash({ b: { a: null } }));
  expect(hashOf([null], isNull)).toBe(keptHash([null]));
});
