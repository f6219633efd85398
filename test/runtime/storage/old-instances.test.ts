import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposedFile } from '../../../src/descriptor/migration/step.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { type MigrateOptions, migrateDatabase, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { ask, emptyPlaceEach, execute, places } from '../../support/places.ts';
import { insertThing, thingContract } from '../../support/thing-contracts.ts';

const text = { type: 'string' };
const first = thingContract({ name: text, note: text }, { version: '1.0.0', required: ['name'] });
const next = thingContract({ label: text, note: text }, { version: '1.1.0', required: ['label'] });
const named = thingContract({ name: text }, { version: '1.0.0' });

describe.each(places)('files that change what instances of the contract before use, on $name,', (place) => {
  const here = emptyPlaceEach(place);
  const write = (sql: string, name = '0001-a.sql') => writeFile(join(here.folder, name), sql);
  const migrated = (part = first, options: MigrateOptions = { sparesInstances: true }) =>
    migrateDatabase(here.location, wantedBy(part), here.folder, options);
  const planned = (part = first) => planDatabase(here.location, wantedBy(part), here.folder);

  it.each([
    ['a column renamed', 'alter table things rename column name to label;', 'column things.name is gone', next],
    ['a column dropped', 'alter table things drop column note;', 'column things.note is gone', first],
    ['a table renamed', 'alter table things rename to stuff;', 'table things is gone', first],
  ])('stop it without their mark, and say so: %s', async (_, sql, breaks, part) => {
    await migrated();
    await execute(here.location, insertThing(1, { name: "'a'", note: "'b'" }));
    await write(sql);
    expect(await planned(part)).toMatchObject({
      old: { version: '1.0.0' },
      effects: expect.arrayContaining([{ name: '0001-a.sql', breaks: expect.arrayContaining([breaks]) }]),
    });
    const refused = `migrations/0001-a.sql breaks running instances of the contract before (1.0.0): ${breaks}`;
    await expect(migrated(part)).rejects.toThrow(refused);
    // It has changed nothing.
    await execute(here.location, insertThing(2, { name: "'a'", note: "'b'" }));
    await write(`-- lockstep: breaks old instances\n${sql}`);
    expect((await migrated(part)).done).toContain('migrations/0001-a.sql');
  });

  it('stop it for new columns that must be written, and not for others', async () => {
    await migrated();
    await write(
      "alter table things add column extra text; alter table things add column due text not null default 'x';",
    );
    await migrated();
    await write(
      place.kind === 'sqlite'
        ? 'create table other (id text not null); drop table other;'
        : 'alter table things alter column due drop default;',
      '0002-b.sql',
    );
    const run = migrated();
    await (place.kind === 'sqlite'
      ? expect(run).resolves.toBeDefined()
      : expect(run).rejects.toThrow('column things.due is required, and they do not write it'));
  });

  it('do not stop where nobody asks, nor new databases', async () => {
    await write('alter table things drop column note;');
    await migrated(named).catch(() => {});
    await write('update things set version = 1;');
    await migrated();
    await write('alter table things drop column note;', '0002-b.sql');
    await expect(migrated()).rejects.toThrow('column things.note is gone');
    expect((await migrated(named, {})).done).toEqual(['migrations/0002-b.sql']);
  });

  it('stop it where they make a column that the database alone writes', async () => {
    await migrated();
    const [collation, kind, told] =
      place.kind === 'postgres' ? [' collate "C"', 'stored', 'cannot be written'] : ['', 'virtual', 'is gone'];
    const made = `alter table things add column note text${collation} generated always as (name) ${kind};`;
    await write(`alter table things drop column note; ${made}`);
    await expect(migrated()).rejects.toThrow(`column things.note ${told}`);
  });

  it('outside a transaction are not judged, and the plan says so', async () => {
    await migrated();
    await write('-- lockstep: no transaction\nalter table things rename column name to label;');
    const { effects, isPartial } = await planned(next);
    expect([isPartial, effects?.some(({ name }) => name === '0001-a.sql')]).toEqual([true, false]);
    expect((await migrated(next)).done).toContain('migrations/0001-a.sql');
  });

  it('are judged by all columns that are there where the record has none', async () => {
    await migrated();
    await execute(here.location, 'update lockstep_contract set shapes = replace(shapes, \'"columns"\', \'"others"\')');
    await execute(here.location, 'alter table things add column own text');
    await write('alter table things drop column own;');
    await expect(migrated()).rejects.toThrow('column things.own is gone');
  });
});

describe.each(places)('columns that leave the contract while others of their type arrive, on $name,', (place) => {
  const here = emptyPlaceEach(place);
  const write = (sql: string, name = '0001-a.sql') => writeFile(join(here.folder, name), sql);
  const optional = (...names: string[]) =>
    thingContract(Object.fromEntries(names.map((name) => [name, text])), { required: [] });
  const migrated = (part: ReturnType<typeof optional>) =>
    migrateDatabase(here.location, wantedBy(part), here.folder, { sparesInstances: true });
  const planned = (part: ReturnType<typeof optional>) => planDatabase(here.location, wantedBy(part), here.folder);

  const QUESTION =
    'column things.born_on is not in the contract; if it is birth_date now, declare that before birth_date is added';

  it('are a question with counts and ways, which a line answers once', async () => {
    await migrated(optional('bornOn'));
    await execute(here.location, insertThing(1, { born_on: "'2020'" }));
    const { differences } = await planned(optional('birthDate'));
    expect(differences).toMatchObject([{ what: expect.stringContaining(`${QUESTION}: 1 row has a value`) }]);
    const [keep, rename, others] = differences[0]!.byHand;
    expect(keep).toContain('write `x-column: born_on` next to birthDate in the contract');
    expect(rename).toContain('alter table "things" rename column "born_on" to "birth_date"');
    expect(others).toContain('-- lockstep: not renamed things.born_on');
    await expect(migrated(optional('birthDate'))).rejects.toThrow(QUESTION);
    await write('-- lockstep: not renamed things.born_on\n');
    expect((await migrated(optional('birthDate'))).done).toEqual([
      'migrations/0001-a.sql',
      'add column things.birth_date',
    ]);
    expect((await migrated(optional('birthDate', 'diedOn'))).done).toEqual(['add column things.died_on']);
  });

  it('are none without values', async () => {
    await migrated(optional('bornOn'));
    await execute(here.location, insertThing(1, { born_on: 'null' }));
    expect((await migrated(optional('birthDate'))).done).toEqual(['add column things.birth_date']);
  });
});

describe.each(places)('tables that leave the contract while others like them arrive, on $name,', (place) => {
  const here = emptyPlaceEach(place);
  const write = (sql: string) => writeFile(join(here.folder, '0001-a.sql'), sql);
  const inTable = (table: string, ...names: string[]) => {
    const given = thingContract(Object.fromEntries(names.map((name) => [name, text])), { required: [] });
    return { ...given, resources: given.resources.map((one) => ({ ...one, table })) };
  };
  const before = inTable('things', 'name', 'note');
  const migrated = (part = before, options: MigrateOptions = { sparesInstances: true }) =>
    migrateDatabase(here.location, wantedBy(part), here.folder, options);
  const begun = async () => {
    await migrated();
    await execute(here.location, insertThing(1, { name: "'a'", note: "'b'" }));
  };
  const QUESTION =
    'table things is not in the contract; if it is beings now, declare that before beings is created: 1 row';

  it.each([
    ['have the same columns', inTable('beings', 'name', 'note', 'kind')],
    ['have a similar name and a column', inTable('new_things', 'name', 'a', 'b', 'c')],
  ])('are a question if they %s', async (_, part) => {
    await begun();
    await expect(migrated(part)).rejects.toThrow(QUESTION.replaceAll('beings', part.resources[0]!.table));
  });

  it('are a question with ways, of which a file that renames keeps the rows', async () => {
    await begun();
    const part = inTable('beings', 'name', 'note');
    const { differences } = await planDatabase(here.location, wantedBy(part), here.folder);
    expect(differences).toMatchObject([{ what: expect.stringContaining(QUESTION) }]);
    const lines = proposedFile(differences[0]!);
    expect(lines[0]).toContain('write `x-table: things` next to the schema Thing in the contract');
    await write(lines.slice(1).join('\n'));
    expect((await migrated(part)).done).toContain('migrations/0001-a.sql');
    expect(await ask(here.location, 'select name, note from beings')).toEqual([['a', 'b']]);
  });

  it('are answered once by a line, also where a file moves the rows', async () => {
    await begun();
    const part = inTable('beings', 'name', 'note');
    await write(`-- lockstep: not renamed things
-- lockstep: after tables
insert into beings (id, version, created_at, updated_at, name) select id, version, created_at, updated_at, note from things;`);
    const { done } = await migrated(part);
    expect(done.slice(0, 2)).toEqual(['create table beings', 'migrations/0001-a.sql']);
    expect(await ask(here.location, 'select name from beings')).toEqual([['b']]);
    expect((await migrated(part)).done).toEqual([]);
  });

  it('are none without rows, and none that have little in common', async () => {
    await migrated();
    expect((await migrated(inTable('beings', 'name', 'note'))).done).toContain('create table beings');
    await execute(here.location, 'drop table beings');
    await migrated(before, { evenIfOlder: true });
    await execute(here.location, insertThing(1, { name: "'a'", note: "'b'" }));
    const { done } = await migrated(inTable('rooms', 'name', 'a', 'b', 'c'));
    expect(done).toContain('create table rooms');
  });
});
