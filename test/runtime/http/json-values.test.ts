import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkValues } from '../../../src/runtime/http/json-values.ts';

/** What is shorter is not counted. */
const COUNTED = 16_384;

const bytesOf = (text: string): Buffer => Buffer.from(text.padEnd(COUNTED));

/** Those in a value, itself included. What is empty counts as if it had one. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return (
    1 +
    Math.max(
      1,
      Object.values(value).reduce<number>((total, one) => total + valuesIn(one), 0),
    )
  );
}

const longTexts = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', '}', 'x', 'é', '\n'), maxLength: 300 });

test('JSON is counted to the value, whatever its texts are', () => {
  const json = fc.anything({ values: [fc.integer(), fc.boolean(), fc.constant(null), longTexts], key: longTexts });
  fc.assert(
    fc.property(fc.array(json), fc.constantFrom(0, 2), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, null, indent));
      const count = valuesIn(value);
      expect(() => checkValues(bytes, 'It', count)).not.toThrow();
      expect(() => checkValues(bytes, 'It', count - 1)).toThrow(expect.objectContaining({ code: 'CONTENT_TOO_LARGE' }));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '"',
  '"\\',
  '"\\"',
  `"${'x'.repeat(100)}`,
  `"${'x'.repeat(100)}\\"`,
  `"${'x'.repeat(63)}\\`,
  '"'.repeat(501),
])('a text that does not end hides what follows: %s', (text) => {
  const bytes = Buffer.from(' '.repeat(COUNTED) + text);
  expect(() => checkValues(bytes, 'It', 1)).not.toThrow();
});

test('what is short is not counted', () => {
  const text = `[${'1,'.repeat(8_000)}1]`;
  expect(() => checkValues(Buffer.from(text), 'It', 10)).not.toThrow();
  expect(() => checkValues(bytesOf(text), 'It', 10)).toThrow('It has more than 10 values.');
});
