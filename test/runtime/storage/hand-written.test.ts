import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateDatabase, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { unpairedIn } from '../../../src/runtime/storage/migration/hand-written.ts';
import { sqlStatements } from '../../../src/runtime/storage/migration/sql-statements.ts';
import { property, resource } from '../../support/descriptors.ts';
import { ask, emptyPlaceEach, execute, places } from '../../support/places.ts';
import { insertThing } from '../../support/thing-contracts.ts';

const things = (...names: string[]) => ({
  resources: [
    resource(
      'things',
      'Thing',
      names.map((name) => property(name)),
    ),
  ],
});

/** What docs/migrations.md says of files. */
describe.each(places)('hand-written migrations of $name', (place) => {
  const here = emptyPlaceEach(place);
  const { kind } = place;

  const write = (text: string, name = '0001-a.sql') => writeFile(join(here.folder, name), text);
  const migrated = (...names: string[]) => migrateDatabase(here.location, things(...names), here.folder);
  const planned = (...names: string[]) => planDatabase(here.location, things(...names), here.folder);

  it('that fail say in which file and line', async () => {
    await migrated('name');
    await execute(here.location, `${insertThing(1, { name: "'a'" })}; ${insertThing(2, { name: "'b'" })}`);
    // A fault that shows when the statement runs, and one that shows when it is parsed.
    await write(
      "-- two rows\nupdate things set version = 2;\n\nupdate things\n  set id = '00000000-0000-7000-8000-000000000001';\n",
    );
    await expect(migrated('name')).rejects.toThrow(
      /^migrations\/0001-a\.sql:4: .*unique.*\nThe file has changed nothing\.$/is,
    );
    await write('update things set version = 2;\n/* ; */ select\n  nowhere\n  from things;\n');
    const line = kind === 'postgres' ? 3 : 2;
    await expect(migrated('name')).rejects.toThrow(new RegExp(`^migrations/0001-a\\.sql:${line}: .*nowhere`));
  });

  it('are taken into account by the plan, which takes back what they do', async () => {
    await migrated('name');
    await execute(here.location, insertThing(1, { name: "'a'" }));
    expect((await planned('fullName')).differences).toMatchObject([
      { what: expect.stringContaining('column things.name is not in the contract; if it is full_name now') },
      {
        what: 'column things.full_name is new and required, with no default',
        byHand: expect.arrayContaining(['alter table "things" rename column "name" to "full_name"']),
      },
    ]);
    await write('alter table "things" rename column "name" to "full_name";');
    const plan = await planned('fullName');
    expect(plan).toMatchObject({ pending: [{ name: '0001-a.sql' }], steps: [], differences: [], isPartial: false });
    await rm(join(here.folder, '0001-a.sql'));
    expect((await planned('name')).differences).toEqual([]);
    await write('alter table "things" rename column "name" to "full_name";');
    expect((await migrated('fullName')).done).toEqual(['migrations/0001-a.sql']);
  });

  it('that run before one that fails are named by its error, stay done, and do not run again', async () => {
    await migrated('name');
    await execute(here.location, insertThing(1, { name: "'a'" }));
    await write('update things set version = version + 1;');
    await write('-- lockstep: no transaction\nupdate things set version = version + 1;', '0002-b.sql');
    await write('update things set version = version + 1;\nupdate nowhere set a = 1;', '0003-c.sql');
    const failure = () => migrated('name').catch((error: Error) => error.message);
    const version = async () => Number((await ask(here.location, 'select version from things'))[0]![0]);
    const told = '\nCommitted before that, and not run again: migrations/0001-a.sql, migrations/0002-b.sql.';
    expect(await failure()).toMatch(new RegExp(`^migrations/0003-c\\.sql:2: [^]*${told}`));
    expect(await failure()).not.toContain('Committed');
    expect(await version()).toBe(3);
    await write('update things set version = version + 1;', '0003-c.sql');
    expect((await migrated('name')).done).toEqual(['migrations/0003-c.sql']);
    expect(await version()).toBe(4);
  });

  describe('that run after tables', () => {
    const split = { resources: [...things('name').resources, resource('places', 'Place', [property('city')])] };
    const moved = `insert into places (id, version, created_at, updated_at, city)
      select id, 1, created_at, updated_at, city from things where city <> 'none';`;
    const done = (options = {}) => migrateDatabase(here.location, split, here.folder, options);
    const whole = {
      resources: [resource('things', 'Thing', [property('name'), property('city', { nullable: true })])],
    };
    const begun = () => migrateDatabase(here.location, whole, here.folder);
    const cities = () => ask(here.location, 'select city from places');

    it('find the tables and columns of the contract, and are tried by the plan', async () => {
      await begun();
      await execute(here.location, insertThing(1, { name: "'a'", city: "'Bern'" }));
      await write(`-- lockstep: after tables\n${moved}`);
      const plan = await planDatabase(here.location, split, here.folder);
      expect(plan.pending).toMatchObject([{ name: '0001-a.sql' }]);
      expect(plan.steps).toContainEqual(expect.objectContaining({ what: 'create table places' }));
      const { done: made } = await done();
      expect(made.indexOf('create table places')).toBeLessThan(made.indexOf('migrations/0001-a.sql'));
      expect(await cities()).toEqual([['Bern']]);
      expect((await done()).done).toEqual([]);
    });

    it('run before rows are checked, and name their faults', async () => {
      await begun();
      await execute(here.location, insertThing(1, { name: "'a'", city: "'Bern'" }));
      await write(`-- lockstep: after tables\n${moved}\nupdate nowhere set a = 1;`);
      await expect(done()).rejects.toThrow(/^migrations\/0001-a\.sql:4: .*nowhere/);
      expect(await cities()).toEqual([]);
      await write(`-- lockstep: after tables\n${moved}`);
      await done();
      expect(await cities()).toEqual([['Bern']]);
    });

    it('wait for the question whether a column was renamed', async () => {
      await begun();
      await execute(here.location, insertThing(1, { name: "'a'", city: "'Bern'" }));
      await write('-- lockstep: after tables\nupdate things set version = 2;');
      const renamed = [...things('name').resources[0]!.properties, property('place', { nullable: true })];
      const asking = {
        resources: [
          resource(
            'things',
            'Thing',
            renamed.filter(({ name }) => ['name', 'place'].includes(name)),
          ),
        ],
      };
      await expect(migrateDatabase(here.location, asking, here.folder)).rejects.toThrow('if it is place now');
      expect(await ask(here.location, 'select version, city from things')).toEqual([[expect.anything(), 'Bern']]);
      await expect(ask(here.location, 'select place from things')).rejects.toThrow(/place/);
    });
  });

  it('for one database alone are named if the other has no counterpart', async () => {
    await write('select 1;', '0001-a.sqlite.sql');
    await write('select 1;', '0001-a.postgres.sql');
    await write('select 1;', '0002-b.postgres.sql');
    await write('-- lockstep: this database alone\nselect 1;', '0003-c.sqlite.sql');
    await write('select 1;', '0004-d.sql');
    expect(await unpairedIn(here.folder)).toEqual([{ name: '0002-b.postgres.sql', counterpart: '0002-b.sqlite.sql' }]);
  });

  it('run outside a transaction when their first line says so', async () => {
    await migrated('name');
    const statement =
      kind === 'postgres' ? 'create index concurrently if not exists own on things (version)' : 'vacuum';
    await write(`${statement};`);
    await expect(migrated('name')).rejects.toThrow(/migrations\/0001-a\.sql:1: .*transaction/);
    await write(`-- lockstep: no transaction\n${statement};\nupdate nowhere set a = 1;\n`);
    await expect(migrated('name')).rejects.toThrow(
      /^migrations\/0001-a\.sql:3: .*nowhere.*\nThe statements before it are done/s,
    );
    await write(`-- lockstep: no transaction\n${statement};\n`);
    await write('update things set version = 1;', '0002-b.sql');
    expect(await planned('name')).toMatchObject({ pending: [{}, {}], isPartial: true });
    expect((await migrated('name')).done).toEqual(['migrations/0001-a.sql', 'migrations/0002-b.sql']);
    expect((await migrated('name')).done).toEqual([]);
  });
});

const RENAME = 'alter table "things" rename column "name" to "full_name";\n';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What docs/migrations.md says of databases that have no table of the contract. */
describe.each(places)('hand-written migrations of a new $name', (place) => {
  const here = emptyPlaceEach(place);

  const write = (text: string, name = '0001-a.sql') => writeFile(join(here.folder, name), text);
  const migrated = (names: string[], options = {}) =>
    migrateDatabase(here.location, things(...names), here.folder, options);
  const planned = (...names: string[]) => planDatabase(here.location, things(...names), here.folder);

  it('run after the tables are made, in order, and rows that they write are there', async () => {
    await write(`${insertThing(1, { name: "'a'" })};`);
    await write("update things set name = 'b';", '0002-b.sql');
    const plan = await planned('name');
    expect(plan).toMatchObject({ pending: [{}, {}], steps: [{ what: 'create table things' }], isPartial: false });
    expect(plan.differences).toEqual([]);
    const done = ['create table things', 'migrations/0001-a.sql', 'migrations/0002-b.sql'];
    expect((await migrated(['name'])).done).toEqual(done);
    expect((await migrated(['name'])).done).toEqual([]);
  });

  it('run before the tables are made where they say so', async () => {
    await write('create table things (id integer);');
    await expect(migrated(['name'])).rejects.toThrow(/0001-a\.sql:1: .*already exists/);
    await write('-- What others need.\n\n-- lockstep: before tables\ncreate table ground (id integer);', '0002-b.sql');
    await write("-- lockstep: no transaction\ninsert into ground values (1);\nupdate things set name = 'b';");
    // The tables of the first attempt are there: it goes on as one of a new database.
    expect((await migrated(['name'])).done.filter((what) => !what.includes(' index '))).toEqual([
      'migrations/0002-b.sql',
      'migrations/0001-a.sql',
    ]);
  });

  it('are recorded and not run where they are for rows that exist', async () => {
    await write(`-- lockstep: existing rows\n${RENAME}`);
    expect(await planned('fullName')).toMatchObject({ steps: [{ what: 'create table things' }], differences: [] });
    expect((await migrated(['fullName'])).done).toEqual([
      'create table things',
      'migrations/0001-a.sql (recorded, not run: the database is new)',
    ]);
    expect(await planned('fullName')).toMatchObject({ pending: [], steps: [], differences: [], isNew: false });
  });

  it('run where the tables are those of an earlier release, as the plan proposes them', async () => {
    await migrated(['name']);
    await execute(here.location, insertThing(1, { name: "'a'" }));
    const refused = await migrated(['fullName']).catch((error: Error) => error.message);
    const [proposed] = /-- lockstep: existing rows\n +-- lockstep: breaks old instances\n +alter table .*;/.exec(
      String(refused),
    )!;
    await write(proposed);
    expect((await migrated(['fullName'])).done).toEqual(['migrations/0001-a.sql']);
  });

  it('that fail stop it, whatever the file', async () => {
    await write(RENAME);
    for (const run of [() => planned('fullName'), () => migrated(['fullName'])])
      await expect(run()).rejects.toThrow(/^migrations\/0001-a\.sql:1: /);
    await write(`-- lockstep: existing rows\n${RENAME}`);
    await migrated(['fullName']);
    expect(await planned('fullName')).toMatchObject({ pending: [], own: [], steps: [], differences: [] });
  });

  it('are recorded where rows come from another database, but for those that tables need', async () => {
    await write('-- lockstep: before tables\ncreate table ground (id integer);');
    await write(`${insertThing(1, { name: "'a'" })};`, '0002-b.sql');
    expect((await migrated(['name'], { isFilledByCopy: true })).done).toEqual([
      'migrations/0001-a.sql',
      'create table things',
      'migrations/0002-b.sql (recorded, not run: the database is new)',
    ]);
    await expect(execute(here.location, insertThing(1, { name: "'a'" }))).resolves.toBeUndefined();
  });

  it('may be marked after they ran, and are known by the digest of any of their texts', async () => {
    await migrated(['name']);
    const text = 'update things set version = 2;\n';
    await write(text);
    await migrated(['name']);
    const recorded = (digest: string) => execute(here.location, `update lockstep_migration set digest = '${digest}'`);
    const marked = `-- lockstep: existing rows\r\n-- lockstep: no transaction\n${text}`;
    await write(marked);
    expect((await migrated(['name'])).done).toEqual([]);
    for (const before of [marked, `-- lockstep: no transaction\n${text}`]) {
      await recorded(sha256(before));
      expect((await migrated(['name'])).done).toEqual([]);
    }
    await recorded(sha256(`-- lockstep: before tables\n${text}`));
    await expect(migrated(['name'])).rejects.toThrow('migrations/0001-a.sql was changed after it ran');
  });

  it('that say what is not known are refused, unless they have run', async () => {
    const text = '-- lockstep: existing row\nupdate things set version = 2;\n';
    await write(text);
    await expect(migrated(['name'])).rejects.toThrow(
      'migrations/0001-a.sql:1: `-- lockstep: existing row` is not known. Write one of `-- lockstep: no transaction`,',
    );
    await rm(join(here.folder, '0001-a.sql'));
    await migrated(['name']);
    await write(text);
    const values = `'0001-a.sql', '${sha256(text)}', '2026-01-01T00:00:00Z'`;
    await execute(here.location, `insert into lockstep_migration values (${values})`);
    expect((await migrated(['name'])).done).toEqual([]);
  });
});

describe('the statements of a file', () => {
  it.each([
    ['select 1; select 2', ['1 select 1', '1 select 2']],
    ['-- a; b\n\nselect 1 -- c;\n;;\n', ['3 select 1 -- c;']],
    [`select ';', ";", 'it''s;'`, [`1 select ';', ";", 'it''s;'`]],
    [String.raw`select '\'; select 2`, [String.raw`1 select '\'`, '1 select 2']],
    ['/* a; */ select 1', ['1 select 1']],
    [
      'create trigger t after insert on a begin\n update a set b = case when 1 then 2 else 3 end; end;\nselect 1',
      [
        '1 create trigger t after insert on a begin\n update a set b = case when 1 then 2 else 3 end; end',
        '3 select 1',
      ],
    ],
  ])('of either database: %j', (text, expected) => {
    for (const kind of ['sqlite', 'postgres'] as const)
      expect(sqlStatements(text, kind).map(({ sql, line }) => `${line} ${sql}`)).toEqual(expected);
  });

  it.each([
    ['do $$ begin; end $$; select 1', ['1 do $$ begin; end $$', '1 select 1']],
    ['select $a$ ; $$ ; $a$;\nselect 1', ['1 select $a$ ; $$ ; $a$', '2 select 1']],
    [String.raw`select E'\'; ' ; select 1`, [String.raw`1 select E'\'; '`, '1 select 1']],
    ['/* /* ; */ ; */ select 1', ['1 select 1']],
    [
      'create function f() returns int begin atomic select 1; end; select 2',
      ['1 create function f() returns int begin atomic select 1; end', '1 select 2'],
    ],
  ])('of Postgres: %j', (text, expected) => {
    expect(sqlStatements(text, 'postgres').map(({ sql, line }) => `${line} ${sql}`)).toEqual(expected);
  });
});
