import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import type { Condition, StoredValue } from '../../../src/runtime/storage/store.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The value of the row `n` of each type, as rows store it. */
const VALUES: Readonly<Record<string, (n: number) => StoredValue>> = {
  string: (n) => `"tëxt" ${n}`,
  uuid: id,
  integer: (n) => n - 20,
  int64: (n) => String(9007199254740993n + BigInt(n)),
  number: (n) => n + 0.1,
  decimal: (n) => `${n}.50`,
  date: (n) => `${n === 0 ? '0000' : 2000 + n}-02-01`,
  'date-time': (n) => `${n === 0 ? '0000' : 2000 + n}-02-01T10:00:00.123Z`,
};
const types = Object.keys(VALUES);

const things = resource(
  'things',
  'Thing',
  types.map((type) =>
    property(
      `own ${type}`.replace(/[ -](\w)/g, (_, c) => c.toUpperCase()),
      { type: type as never },
    ),
  ),
);
const codec = createRowCodec(things.properties);
const nameOf = (type: string): string =>
  things.properties.find((one) => one.type === type && /^own/.test(one.name))!.name;

/** Far more than a statement has placeholders for, where a rule is in it twenty times. */
const MANY = 4_000;

describe.each(databases)('a long list of values, on $name,', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open([things]);
    await database.store.transaction(async (transaction) => {
      for (let n = 0; n < 60; n++) {
        const own = Object.fromEntries(types.map((type) => [nameOf(type), VALUES[type]!(n)]));
        await transaction.insert(
          'things',
          codec.toRow({ id: id(n), version: 1, createdAt: TIME, updatedAt: TIME, ...own }),
        );
      }
    });
  });
  afterAll(() => database.close());

  const found = async (...conditions: Condition[]): Promise<readonly StoredValue[]> => {
    const order = [{ property: 'id', direction: 'asc' }] as const;
    const rows = await database.store.list({ resource: 'things', conditions, order, limit: 100 });
    return rows.map((row) => row[0]!);
  };
  const ids = (numbers: readonly number[]): readonly string[] => numbers.map(id);
  const even = Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 2 === 0);
  const odd = even.map((n) => n + 1);

  it.each(types)('finds the rows that have one of them: %s', async (type) => {
    const values = [...even, ...Array.from({ length: MANY }, (_, i) => 100 + i)].map((n) => VALUES[type]!(n));
    const comparison = { property: nameOf(type), operator: 'in', value: values } as const;
    expect(await found(comparison)).toEqual(ids(even));
    expect(await found({ kind: 'not', comparison })).toEqual(ids(odd));
    expect(await database.store.count('things', [comparison])).toBe(30);
  });

  it('tells decimals apart that are equal as numbers', async () => {
    const values = even.map((n) => `${n}.5`);
    expect(await found({ property: nameOf('decimal'), operator: 'in', value: [...values, ...values] })).toEqual([]);
  });

  it('may stand in a statement many times, beside short ones', async () => {
    const long = {
      property: nameOf('string'),
      operator: 'in',
      value: Array.from({ length: MANY }, (_, n) => VALUES['string']!(n)),
    } as const;
    const short = { property: nameOf('integer'), operator: 'in', value: [-20, -18, -17] } as const;
    const one = { property: nameOf('string'), operator: 'in', value: [VALUES['string']!(2)] } as const;
    expect(await found(...Array.from({ length: 40 }, () => long), short)).toEqual(ids([0, 2, 3]));
    expect(await found({ kind: 'any', conditions: Array.from({ length: 40 }, () => long) }, one)).toEqual(ids([2]));
    expect(await found(one)).toEqual(ids([2]));
  });
});
