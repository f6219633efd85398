import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/descriptor/document.ts';
import { proposedFile } from '../../../src/descriptor/migration/step.ts';
import type { JsonValue, PropertyType } from '../../../src/descriptor/resource.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import {
  admitServer,
  migrateDatabase,
  openStore,
  planDatabase,
} from '../../../src/runtime/storage/database/database.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { emptyPlaceEach, execute, places } from '../../support/places.ts';
import { idOfThing, thingContract } from '../../support/thing-contracts.ts';

const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 3, statementTimeoutMs: 5_000 } as const;

interface Kind {
  readonly name: string;
  readonly type: PropertyType;
  readonly schema: { readonly [keyword: string]: unknown };
  /** Whether its schema allows a value that its type stores. */
  readonly allows: (value: JsonValue) => boolean;
}

const any = (): boolean => true;
const text = (name: string, type: PropertyType): Kind => ({
  name,
  type,
  schema: { type: 'string', format: name },
  allows: any,
});
const is =
  (...types: readonly string[]) =>
  (value: JsonValue): boolean =>
    types.includes(Array.isArray(value) ? 'array' : Number.isSafeInteger(value) ? 'integer' : typeof value);
const ENUM = ['12', 'true', '2026-01-31'];

/** Of the types of properties, each as a contract writes it. docs/migrations.md has an example. */
const KINDS: readonly Kind[] = [
  { name: 'string', type: 'string', schema: { type: 'string' }, allows: any },
  {
    name: 'enum',
    type: 'string',
    schema: { type: 'string', enum: ENUM },
    allows: (value) => ENUM.includes(String(value)),
  },
  text('time', 'string'),
  text('uuid', 'uuid'),
  text('int64', 'int64'),
  text('decimal', 'decimal'),
  text('date', 'date'),
  text('date-time', 'date-time'),
  { name: 'integer', type: 'integer', schema: { type: 'integer' }, allows: any },
  { name: 'number', type: 'number', schema: { type: 'number' }, allows: any },
  { name: 'boolean', type: 'boolean', schema: { type: 'boolean' }, allows: any },
  { name: 'object', type: 'json', schema: { type: 'object' }, allows: is('object') },
  { name: 'array', type: 'json', schema: { type: 'array' }, allows: is('array') },
  { name: 'string or integer', type: 'json', schema: { type: ['string', 'integer'] }, allows: is('string', 'integer') },
  {
    name: 'integer or boolean',
    type: 'json',
    schema: { type: ['integer', 'boolean'] },
    allows: is('integer', 'boolean'),
  },
  {
    name: 'number or array',
    type: 'json',
    schema: { type: ['number', 'array'] },
    allows: is('number', 'integer', 'array'),
  },
];

/** A value, and as each type that has it. Its text is `string`, and JSON has it as it is. */
interface Sample extends Partial<Record<PropertyType, JsonValue>> {
  readonly of: JsonValue;
}

const all = (value: number, others: Partial<Sample> = {}): Sample => {
  const digits = String(value);
  return { of: value, string: digits, integer: value, int64: digits, number: value, decimal: digits, ...others };
};
const said = (value: string, others: Partial<Sample> = {}): Sample => ({ of: value, string: value, ...others });
const UUID = '0199abcd-0000-7000-8000-00000000000a';
const TWELVE = { integer: 12, int64: '12', number: 12, decimal: '12' };
const INT64 = '9223372036854775807';

const SAMPLES: Readonly<Record<PropertyType, readonly Sample[]>> = {
  string: [
    said('12', TWELVE),
    said('-7.00', { integer: -7, int64: '-7', number: -7, decimal: '-7.00' }),
    said('1.50', { number: 1.5, decimal: '1.50' }),
    said('0', { integer: 0, int64: '0', number: 0, decimal: '0', boolean: false }),
    said(INT64, { int64: INT64, decimal: INT64 }),
    said('true', { boolean: true }),
    said('2026-01-31', { date: '2026-01-31' }),
    said('2026-01-31T12:00:59.9999+02:00', { 'date-time': '2026-01-31T10:00:59.999Z' }),
    said('2026-01-31t12:00:00z', { 'date-time': '2026-01-31T12:00:00.000Z' }),
    said(UUID.toUpperCase(), { uuid: UUID }),
    ...['', 'x', '"12"', '{"a":1}', "it's é", '2026-02-30', '0x1F'].map((value) => said(value)),
  ],
  uuid: [said(UUID, { uuid: UUID })],
  integer: [all(1, { boolean: true }), all(0, { boolean: false }), all(-40), all(9_007_199_254_740_991)],
  int64: [
    said('12', TWELVE),
    said('1', { integer: 1, int64: '1', number: 1, decimal: '1', boolean: true }),
    said(INT64, { int64: INT64, decimal: INT64 }),
    said('9007199254740993', { int64: '9007199254740993', decimal: '9007199254740993' }),
  ],
  number: [
    all(1, { boolean: true }),
    all(123_456_789_012),
    ...[1.5, 0.1 + 0.2, Math.PI, 0.00001, -2.5].map((value) => ({
      of: value,
      string: String(value),
      number: value,
      decimal: String(value).replace('1e-', '0'),
    })),
    { of: 1e21, string: '1e+21', number: 1e21 },
    { of: 1.5e-7, string: '1.5e-7', number: 1.5e-7 },
  ],
  decimal: [
    said('12.00', { ...TWELVE, decimal: '12.00' }),
    said('-1.50', { number: -1.5, decimal: '-1.50' }),
    said('12345678901234567890', { decimal: '12345678901234567890' }),
  ],
  boolean: [
    { of: true, string: 'true', boolean: true, integer: 1, int64: '1', number: 1, decimal: '1' },
    { of: false, string: 'false', boolean: false, integer: 0, int64: '0', number: 0, decimal: '0' },
  ],
  date: [
    said('2026-01-31', { date: '2026-01-31', 'date-time': '2026-01-31T00:00:00.000Z' }),
    said('0000-02-29', { date: '0000-02-29', 'date-time': '0000-02-29T00:00:00.000Z' }),
  ],
  'date-time': [
    said('2026-01-31T00:00:00.000Z', { date: '2026-01-31', 'date-time': '2026-01-31T00:00:00.000Z' }),
    said('0000-02-29T10:11:12.345Z', { 'date-time': '0000-02-29T10:11:12.345Z' }),
  ],
  json: [
    { of: { a: 'x' } },
    { of: [1, 'b'] },
    all(5),
    all(1, { boolean: true }),
    all(-2.5, { integer: undefined!, int64: undefined! }),
    { of: true, string: 'true', boolean: true },
    said('12', TWELVE),
    said('y'),
    said('2026-01-31', { date: '2026-01-31' }),
    said('2026-01-31T12:00:00+01:00', { 'date-time': '2026-01-31T11:00:00.000Z' }),
  ],
};

const samplesOf = ({ type, allows }: Kind): readonly Sample[] => SAMPLES[type].filter(({ of }) => allows(of));

/** The value that a sample becomes; undefined: none, and its row is named. */
function become(sample: Sample, from: Kind, to: Kind): JsonValue | undefined {
  const value = from.type === to.type || to.type === 'json' ? sample.of : sample[to.type];
  return value !== undefined && to.allows(value) ? value : undefined;
}

const columnOf = (i: number): string => `p${i}`;

/** A contract with a property for each kind that is given. */
function having(kinds: readonly Kind[], version: string, isRequired = false) {
  const named = <T>(of: (kind: Kind) => T) => Object.fromEntries(kinds.map((kind, i) => [columnOf(i), of(kind)]));
  const orNull = (schema: Kind['schema']): Schema =>
    isRequired
      ? schema
      : {
          ...schema,
          type: [schema['type'], 'null'].flat(),
          ...(schema['enum'] !== undefined && { enum: [...ENUM, null] }),
        };
  const facts = named(({ type, name }) => ({
    type,
    nullable: !isRequired,
    required: isRequired,
    ...(name === 'enum' && { enum: ENUM }),
  }));
  const required = isRequired ? kinds.map((_, i) => columnOf(i)) : [];
  return thingContract(
    named(({ schema }) => orNull(schema)),
    { version, facts, required },
  );
}

type Part = ReturnType<typeof having>;

describe.each(places)('a property that gets another type on $name', (place) => {
  const here = emptyPlaceEach(place);
  const isSqlite = place.kind === 'sqlite';

  const migrated = (part: Part) => migrateDatabase(here.location, wantedBy(part), here.folder);
  const refused = async (part: Part) =>
    (await planDatabase(here.location, wantedBy(part), here.folder)).differences.filter(
      ({ isHarmless }) => !isHarmless,
    );
  async function opened<T>({ resources }: Part, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(here.location, resources, SETTINGS);
    return work(store).finally(() => store.close());
  }
  const insert = (part: Part, values: readonly Readonly<Record<string, JsonValue>>[]) =>
    opened(part, async (store) => {
      const codec = createRowCodec(part.resources[0]!.properties);
      const time = '2026-01-01T00:00:00.000Z';
      const rows = values.map((row, i) =>
        codec.toRow({ id: idOfThing(i + 1), version: 1, createdAt: time, updatedAt: time, ...row }),
      );
      await store.transaction(async (transaction) => transaction.insertAll('things', rows));
    });

  it.each(KINDS)(
    'from $name is refused with the rows that do not fit, and has each value after the SQL',
    async (from) => {
      const targets = KINDS.filter(({ name }) => name !== from.name);
      const [before, now] = [
        having(
          targets.map(() => from),
          '1.0.0',
        ),
        having(targets, '2.0.0'),
      ];
      const samples = samplesOf(from);
      await migrated(before);
      await insert(
        before,
        samples.map(({ of }) => Object.fromEntries(targets.map((_, i) => [columnOf(i), of]))),
      );

      const found = await refused(now);
      targets.forEach((to, i) => {
        const misfits = samples.flatMap((sample, at) =>
          become(sample, from, to) === undefined ? [idOfThing(at + 1)] : [],
        );
        const about = found.filter(({ what }) => new RegExp(`\\b${columnOf(i)}\\b`).test(what));
        if (
          from.type !== to.type &&
          !isSqlite &&
          (from.type !== 'int64' || to.type !== 'integer') &&
          (from.type !== 'integer' || to.type !== 'int64')
        )
          expect(about, to.name).toHaveLength(1);
        if (misfits.length === 0) return;
        expect(about.length, to.name).toBeGreaterThan(0);
        const [says, sql] = [
          about.map(({ what }) => what).join('\n'),
          about.flatMap(({ byHand }) => byHand).join('\n'),
        ];
        expect(says, to.name).toContain(misfits[0]);
        const counts = [...says.matchAll(/: (\d+) rows? \(ids? [^)]*\)(?! to convert)/g)].map(([, count]) =>
          Number(count),
        );
        // A row may break several rules.
        expect(Math.max(...counts), `${to.name}: ${says}`).toBeLessThanOrEqual(misfits.length);
        expect(
          counts.reduce((sum, count) => sum + count),
          says,
        ).toBeGreaterThanOrEqual(misfits.length);
        expect(sql, to.name).toContain(`update "things" set "${columnOf(i)}" = /* what these rows get */ where`);
      });
      await expect(migrated(now)).rejects.toThrow('things');
      await expect(admitServer(here.location, wantedBy(now), here.folder)).rejects.toThrow('things');

      // What does not fit gets no value; then the SQL that is left runs as it is proposed.
      const clearing = targets.flatMap((to, i) => {
        const misfits = samples.flatMap((sample, at) =>
          become(sample, from, to) === undefined ? [`'${idOfThing(at + 1)}'`] : [],
        );
        return misfits.length > 0 ? [`update things set ${columnOf(i)} = null where id in (${misfits})`] : [];
      });
      await execute(here.location, `begin; ${clearing.join('; ')}; commit`);
      const left = await refused(now);
      expect(left.map(({ byHand }) => byHand.join()).join()).not.toContain('/*');
      const file = left.flatMap((one) => proposedFile(one)).join('\n');
      await writeFile(join(here.folder, '0001-convert.sql'), `-- lockstep: existing rows\n${file}`);
      expect(await refused(now)).toEqual([]);
      await migrated(now);
      await admitServer(here.location, wantedBy(now), here.folder);

      await opened(now, async (store) => {
        const [thing] = now.resources;
        const codec = createRowCodec(thing!.properties);
        const order = (property: string) =>
          [property, 'id'].map((name) => ({ property: name, direction: 'asc' as const }));
        const listed = async (property: string, conditions: Parameters<Store['list']>[0]['conditions'] = []) =>
          (await store.list({ resource: 'things', conditions, order: order(property), limit: 100 })).map((row) =>
            codec.toValues(row),
          );
        const rows = await listed('version');
        for (const [i, to] of targets.entries()) {
          const name = columnOf(i);
          const expected = samples.map((sample) => become(sample, from, to) ?? null);
          expect(
            rows.map((row) => row[name]),
            to.name,
          ).toEqual(expected);
          if (to.type === 'json') continue;
          const values = expected.filter((value) => value !== null);
          for (const value of new Set(values)) {
            const stored = typeof value === 'boolean' ? Number(value) : (value as string | number);
            const equal = await listed('version', [{ property: name, operator: 'eq', value: stored }]);
            expect(
              equal.map((row) => row[name]),
              `${to.name} ${value}`,
            ).toEqual(values.filter((one) => one === value));
          }
          if (to.type === 'decimal') continue;
          const sorted = (await listed(name)).flatMap((row) => row[name] ?? []);
          expect(sorted, to.name).toEqual(values.toSorted((a, b) => compare(a, b, to.type)));
        }
      });
    },
  );

  it.each([
    ['string', '1', ['integer', 'int64', 'number', 'decimal', 'boolean', 'string or integer']],
    ['integer', 1, ['string', 'int64', 'number', 'decimal', 'boolean', 'string or integer']],
    ['boolean', true, ['string', 'integer', 'number', 'integer or boolean']],
    ['string or integer', 7, ['string', 'integer', 'number', 'decimal']],
  ] as const)('stays required, from %s', async (from, value, targets) => {
    const kindOf = (name: string) => KINDS.find((kind) => kind.name === name)!;
    const [before, now] = [targets.map(() => kindOf(from)), targets.map(kindOf)].map((kinds, i) =>
      having(kinds, `${i + 1}.0.0`, true),
    );
    await migrated(before!);
    await insert(before!, [Object.fromEntries(targets.map((_, i) => [columnOf(i), value]))]);
    const file = (await refused(now!)).flatMap((one) => proposedFile(one)).join('\n');
    await writeFile(join(here.folder, '0001-convert.sql'), file);
    const { remarks } = await migrated(now!);
    expect(remarks).toEqual([]);
    for (const name of targets.map((_, i) => columnOf(i)))
      await expect(execute(here.location, `update things set ${name} = null`)).rejects.toThrow(/null/i);
  });
});

function compare(a: JsonValue, b: JsonValue, type: PropertyType): number {
  const [one, other] = type === 'int64' ? [BigInt(String(a)), BigInt(String(b))] : [a, b];
  return one! < other! ? -1 : one! > other! ? 1 : 0;
}
