import { describe, expect, it } from 'vitest';
import { isDecimal } from '../../../src/descriptor/formats/formats.ts';
import { Random } from '../../../src/tools/random.ts';
import { Words } from '../../../src/tools/samples/words.ts';
import { randomText } from '../../../src/tools/synthetic/values.ts';

const texts = (schema: object): string[] => {
  const random = new Random(1);
  return Array.from({ length: 200 }, () => randomText(random, schema));
};

describe('a random text', () => {
  it('meets its pattern and its format together', () => {
    const pattern = '^[0-9]{1,2}(\\.[0-9]{1,4})?$';
    const made = texts({ format: 'decimal', pattern });
    expect(made.filter((text) => !new RegExp(pattern).test(text) || !isDecimal(text))).toEqual([]);
    expect(new Set(made).size).toBeGreaterThan(20);
  });

  it('is of any format that the server checks', () => {
    expect(texts({ format: 'ipv4' })[0]).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  });

  it('is a time without a zone where existing tables have one', () => {
    const times = texts({ format: 'date-time-local' });
    expect(
      times.filter((text) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) || Number.isNaN(Date.parse(text))),
    ).toEqual([]);
    expect(new Words(1).text('lastSeen', 'date-time-local', false)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  it('may be longer than usual where its pattern asks for it', () => {
    expect(new Set(texts({ pattern: '^[a-z]{60}$' }).map(({ length }) => length))).toEqual(new Set([60]));
  });
});
