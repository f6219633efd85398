import { afterEach, describe, expect, it, vi } from 'vitest';
import { DevDatabase } from '../../../src/authoring/dev/dev-database.ts';
import type { PropertyDescriptor } from '../../../src/descriptor/resource.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { migrateDatabase } from '../../../src/runtime/storage/database/database.ts';
import { property, resource } from '../../support/descriptors.ts';
import { ask, emptyPlaceEach, execute, places } from '../../support/places.ts';
import { idOfThing, insertThing, thingContract } from '../../support/thing-contracts.ts';

type Contract = ReturnType<typeof thingContract>;
type Facts = Readonly<Record<string, Partial<PropertyDescriptor>>>;

const TEXT = { type: 'string' } as const;
const INTEGER = { type: 'integer' } as const;
const NUMBER = { type: 'number' } as const;

/** A contract of things by the types of their properties. */
function things(
  schemas: Readonly<Record<string, { readonly type: 'string' | 'integer' | 'number' }>>,
  facts: Facts = {},
  required = Object.keys(schemas),
): Contract {
  const types = Object.entries(schemas).map(([name, { type }]) => [name, { type, ...facts[name] }] as const);
  return thingContract(schemas, { facts: Object.fromEntries(types), required });
}

/** The same things, which refer to others. */
function referring(onDelete: 'restrict' | 'cascade' | undefined, search: readonly string[] = []): Contract {
  const references = onDelete && { resource: 'others', onDelete };
  const { document, resources } = things(
    { name: TEXT, otherId: TEXT },
    { otherId: { type: 'uuid', ...(references && { references }) } },
  );
  const schemas = { ...document.components!.schemas, Other: { type: 'object' } };
  const list = { defaultLimit: 20, maximumLimit: 100, filters: [], search, sorts: [], defaultSort: [] };
  const other = resource('others', 'Other', []);
  return {
    document: { ...document, components: { schemas } } as Contract['document'],
    resources: [other, { ...resources[0]!, ...(search.length > 0 && { list }) }],
  };
}

const other = insertThing(9, {}).replace('into things', 'into others').replaceAll(', )', ')');
const thing = (number: number, otherId: string) => insertThing(number, { name: "'a'", other_id: `'${otherId}'` });

interface Change {
  readonly how: string;
  readonly before: Contract;
  readonly now: Contract;
  /** SQL that writes the rows of before. */
  readonly rows: readonly string[];
}

/** Changes with which no row stands in conflict, and what a query answers then. */
const FITTING: readonly (Change & {
  readonly query: string;
  readonly answer: readonly (readonly unknown[])[];
  /** Postgres does it in every migration. */
  readonly isStep?: true;
})[] = [
  {
    how: 'a property that becomes optional',
    before: things({ name: TEXT }),
    now: things({ name: TEXT }, {}, []),
    rows: [insertThing(1, { name: "'a'" })],
    query: 'select name from things',
    answer: [['a']],
    isStep: true,
  },
  {
    how: 'a required property that is gone',
    before: things({ name: TEXT, note: TEXT }),
    now: things({ name: TEXT }),
    rows: [insertThing(1, { name: "'a'", note: "'b'" })],
    query: 'select name, note from things',
    answer: [['a', 'b']],
  },
  {
    how: 'integers that become numbers',
    before: things({ name: TEXT, size: INTEGER }),
    now: things({ name: TEXT, size: NUMBER }),
    rows: [insertThing(1, { name: "'a'", size: '9007199254740991' }), insertThing(2, { name: "'b'", size: '-3' })],
    query: 'select name, size from things order by id',
    answer: [
      ['a', 9007199254740991],
      ['b', -3],
    ],
  },
  {
    how: 'another type of a property that no row has',
    before: things({ name: TEXT, size: TEXT }, {}, ['name']),
    now: things({ name: TEXT, size: INTEGER }, {}, ['name']),
    rows: [insertThing(1, { name: "'a'" })],
    query: 'select name, size from things',
    answer: [['a', null]],
  },
  {
    how: 'required properties, where there is no row',
    before: things({ name: TEXT }),
    now: things({ name: TEXT, size: INTEGER, at: TEXT }, { at: { type: 'date-time' } }),
    rows: [],
    query: 'select name, size, at from things',
    answer: [],
  },
  {
    how: 'other types, where there is no row',
    before: things({ name: TEXT, size: INTEGER }, { size: { initial: 1 } }),
    now: things({ name: INTEGER, size: TEXT }, { size: { type: 'date-time' } }),
    rows: [],
    query: 'select name, size from things',
    answer: [],
  },
  {
    how: 'another name of a property, where there is no row',
    before: things({ name: TEXT }),
    now: things({ fullName: TEXT }),
    rows: [],
    query: 'select full_name from things',
    answer: [],
  },
  {
    how: 'a reference that all rows meet',
    before: referring(undefined),
    now: referring('restrict'),
    rows: [other, thing(1, idOfThing(9))],
    query: 'select name, other_id from things',
    answer: [['a', idOfThing(9)]],
    isStep: true,
  },
  {
    how: 'another end of a reference',
    before: referring('restrict'),
    now: referring('cascade'),
    rows: [other, thing(1, idOfThing(9))],
    query: 'select name, other_id from things',
    answer: [['a', idOfThing(9)]],
    isStep: true,
  },
];

/** Changes that rows stand against: nothing is changed. */
const CONFLICTING: readonly Change[] = [
  {
    how: 'a required property that a row lacks',
    before: things({ name: TEXT }),
    now: things({ name: TEXT, size: INTEGER }),
    rows: [insertThing(1, { name: "'a'" })],
  },
  {
    how: 'another type of a property that a row has',
    before: things({ name: TEXT }),
    now: things({ name: INTEGER }),
    rows: [insertThing(1, { name: "'007'" })],
  },
  {
    how: 'numbers that would be rounded',
    before: things({ name: TEXT, size: INTEGER }),
    now: things({ name: TEXT, size: NUMBER }),
    rows: [insertThing(1, { name: "'a'", size: '9007199254740993' })],
  },
  {
    how: 'a reference to a row that is not there',
    before: referring(undefined),
    now: referring('restrict'),
    rows: [other, thing(1, idOfThing(8))],
  },
  {
    how: 'a required property that may have become an optional one',
    before: things({ name: TEXT }),
    now: things({ fullName: TEXT }, {}, []),
    rows: [insertThing(1, { name: "'a'" })],
  },
];

describe.each(places)('the database of $name that is developed with', (place) => {
  const here = emptyPlaceEach(place);
  afterEach(() => vi.unstubAllEnvs());

  const dev = (settings: object = {}) =>
    new DevDatabase({ ...readConfig({}), database: here.location, migrationsDir: here.folder, ...settings });
  const migrated = (contract: Contract) => migrateDatabase(here.location, wantedBy(contract), here.folder);
  const made = async ({ before, rows }: Change) => {
    await migrated(before);
    for (const sql of rows) await execute(here.location, sql);
  };

  it.each(FITTING)('is given $how', async ({ query, answer, isStep, ...change }) => {
    await made(change);
    const fitted = await dev().fit(change.now);
    expect(fitted).toEqual(isStep && place.kind === 'postgres' ? [] : ['things']);
    await migrated(change.now);
    expect(await dev().refuses(change.now)).toBe(false);
    expect(await ask(here.location, query)).toEqual(answer);
    expect(await dev().fit(change.now)).toEqual([]);
  });

  it.each(CONFLICTING)('is left alone for the sake of $how', async (change) => {
    await made(change);
    const [thing] = change.before.resources.filter(({ key }) => key === 'things');
    const query = `select ${thing!.properties.map(({ column }) => `cast(${column} as text)`).join(', ')} from things`;
    const before = await ask(here.location, query);
    expect(await dev().fit(change.now)).toEqual([]);
    expect(await dev().refuses(change.now)).toBe(true);
    expect(await ask(here.location, query)).toEqual(before);
    expect((await migrated(change.before)).done).toEqual([]);
  });

  it('is given what one table needs where rows stand against that of another', async () => {
    await migrated(referring('restrict'));
    await execute(here.location, other);
    const { document, resources } = referring('restrict');
    const stricter = resources.map((one) => ({
      ...one,
      properties: [...one.properties, property('size', { type: 'integer' })],
    }));
    expect(await dev().fit({ document, resources: stricter })).toEqual(['things']);
    expect(await ask(here.location, 'select count(*) from others')).toEqual([[place.kind === 'postgres' ? '1' : 1]]);
  });

  it('keeps the rows that refer to those of a table that is changed', async () => {
    const { document, resources } = referring('cascade');
    const [others, ...rest] = resources;
    await migrated({
      document,
      resources: [{ ...others!, properties: [...others!.properties, property('name')] }, ...rest],
    });
    await execute(here.location, other.replace('updated_at', 'updated_at, name').replace(/\)$/, ", 'b')"));
    await execute(here.location, thing(1, idOfThing(9)));
    expect(await dev().fit({ document, resources })).toEqual(['others']);
    await migrated({ document, resources });
    const query = 'select others.name, other_id from things join others on others.id = other_id';
    expect(await ask(here.location, query)).toEqual([['b', idOfThing(9)]]);
    await execute(here.location, 'delete from others');
    expect(await ask(here.location, 'select id from things')).toEqual([]);
  });

  it('keeps what others have made of a table, and can be searched by words', async () => {
    const before = referring('restrict', ['name']);
    await migrated(before);
    for (const sql of [
      other,
      thing(1, idOfThing(9)),
      'create index by_hand on things (name)',
      'create view names as select name from things',
      'alter table things add column by_hand integer',
      'update things set by_hand = 7',
      ...(place.kind === 'sqlite' ? ['create trigger by_hand_too after delete on things begin select 1; end'] : []),
    ])
      await execute(here.location, sql);
    const [others, thingsNow] = before.resources;
    const gone = { ...thingsNow!, properties: thingsNow!.properties.filter(({ name }) => name !== 'otherId') };
    const now = { document: before.document, resources: [others!, gone] };
    expect(await dev().fit(now)).toEqual(['things']);
    await migrated(now);
    expect(await ask(here.location, 'select names.name, by_hand, other_id from names, things')).toEqual([
      ['a', 7, idOfThing(9)],
    ]);
    const parts =
      place.kind === 'sqlite'
        ? "select name from sqlite_schema where tbl_name = 'things' and name like 'by_hand%' order by name"
        : "select relname from pg_class where relname = 'by_hand'";
    const kept = place.kind === 'sqlite' ? [['by_hand'], ['by_hand_too']] : [['by_hand']];
    expect(await ask(here.location, parts)).toEqual(kept);
    const words =
      place.kind === 'sqlite'
        ? "select count(*) from things_name__words where things_name__words match 'b'"
        : "select count(*)::int from things where lockstep_found(things_name__words) and things_name__words @@ '1b'";
    await execute(here.location, insertThing(2, { name: "'b'" }));
    expect(await ask(here.location, words)).toEqual([[1]]);
  });

  it.each([
    ['in production', { isProduction: true }],
    ['where servers migrate nothing', { migrateAtBoot: false }],
  ])('is left alone %s', async (_, settings) => {
    const [change] = FITTING.filter(({ isStep }) => !isStep);
    await made(change!);
    expect(await dev(settings).fit(change!.now)).toEqual([]);
    expect(await dev().fit(change!.now)).toEqual(['things']);
  });

  it('is left alone in a table that no contract was served by, where a setting names it', async () => {
    vi.stubEnv('DATABASE_URL', 'named');
    await migrated({ document: things({}).document, resources: [resource('others', 'Other', [])] } as Contract);
    await execute(here.location, 'create table things (id varchar(40) primary key, theirs varchar(9) not null)');
    expect(await dev().fit(things({ name: TEXT }))).toEqual([]);
  });
});
