import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateDatabase, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { sqlStatements } from '../../../src/runtime/storage/migration/sql-statements.ts';
import { property, resource } from '../../support/descriptors.ts';
import { emptyPlaceEach, execute, places } from '../../support/places.ts';
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
    expect((await planned('title')).differences).toMatchObject([
      { what: expect.stringContaining('column things.name is not in the contract; if it is title now') },
      {
        what: 'column things.title is new and required, with no default',
        byHand: expect.arrayContaining(['alter table "things" rename column "name" to "title"']),
      },
    ]);
    await write('alter table "things" rename column "name" to "title";');
    const plan = await planned('title');
    expect(plan).toMatchObject({ pending: [{ name: '0001-a.sql' }], steps: [], differences: [], isPartial: false });
    await rm(join(here.folder, '0001-a.sql'));
    expect((await planned('name')).differences).toEqual([]);
    await write('alter table "things" rename column "name" to "title";');
    expect((await migrated('title')).done).toEqual(['migrations/0001-a.sql']);
  });

  it('run outside a transaction when their first line says so', async () => {
    await migrated('name');
    const statement =
      kind === 'postgres' ? 'create index concurrently if not exists own on things (version)' : 'vacuum';
    await write(`${statement};`);
    await expect(migrated('name')).rejects.toThrow(/migrations\/0001-a\.sql:1: .*transaction/);
    await write(`-- lockstep: no transaction\n${statement};\nupdate nowhere set a = 1;\n`);
    await expect(migrated('name')).rejects.toThrow(
      /^migrations\/0001-a\.sql:3: .*nowhere.*\nWhat comes before it in the file is done/s,
    );
    await write(`-- lockstep: no transaction\n${statement};\n`);
    await write('update things set version = 1;', '0002-b.sql');
    expect(await planned('name')).toMatchObject({ pending: [{}, {}], isPartial: true });
    expect((await migrated('name')).done).toEqual(['migrations/0001-a.sql', 'migrations/0002-b.sql']);
    expect((await migrated('name')).done).toEqual([]);
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
