import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposedFile } from '../../../src/descriptor/migration/step.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { wantedBy } from '../../../src/runtime/judged-contract.ts';
import { migrateDatabase, openStore, planDatabase } from '../../../src/runtime/storage/database/database.ts';
import { checkMigrated } from '../../../src/runtime/storage/migration/migrator.ts';
import { property, resource } from '../../support/descriptors.ts';
import { ask, emptyPlaceEach, execute, places } from '../../support/places.ts';
import { idOfThing, insertThing, thingContract } from '../../support/thing-contracts.ts';

const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 3, statementTimeoutMs: 5_000 } as const;

function things(...properties: PropertyDescriptor[]): ResourceDescriptor[] {
  return [resource('things', 'Thing', [property('name'), ...properties])];
}

const NOTHING = { pending: [], own: [], steps: [], differences: [] };

const ROW = `insert into things (id, version, created_at, updated_at, name)
  values ('00000000-0000-7000-8000-000000000001', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'one')`;

describe.each(places)('migration of $name', (place) => {
  const here = emptyPlaceEach(place);
  const { kind } = place;

  const migrated = (resources: readonly ResourceDescriptor[]) =>
    migrateDatabase(here.location, { resources }, here.folder, { mayDrop: true });
  const planned = (resources: readonly ResourceDescriptor[]) => planDatabase(here.location, { resources }, here.folder);
  const run = (sql: string) => execute(here.location, sql);

  it('creates what is missing, and nothing twice', async () => {
    const { steps } = await planned(things());
    expect(steps.map(({ what }) => what)).toEqual(['create table things']);
    expect((await planned(things())).steps).toHaveLength(1);
    expect((await migrated(things())).done).toEqual(['create table things']);
    expect((await migrated(things())).done).toEqual([]);
    expect(await planned(things())).toMatchObject(NOTHING);
  });

  it('makes a table before the columns of others that refer to it', async () => {
    await migrated(things());
    const references = { resource: 'makers', onDelete: 'restrict' } as const;
    const next = [
      ...things(property('makerId', { type: 'uuid', nullable: true, required: false, references })),
      resource('makers', 'Maker', [property('name')]),
    ];
    expect((await migrated(next)).done.slice(0, 2)).toEqual(['create table makers', 'add column things.maker_id']);
    expect(await planned(next)).toMatchObject(NOTHING);
  });

  it('gives no rows to a tenant by itself, and puts the tenant before the other columns of keys', async () => {
    const tenant = { property: 'tenantId', claim: ['tenant'] };
    const [thing] = things();
    const keyed = (one: ResourceDescriptor, ...names: string[]) => ({ ...one, unique: [names] });
    await migrated([keyed(thing!, 'name')]);
    await run(ROW);
    const owned = [{ ...keyed(things(property('tenantId'))[0]!, 'tenantId', 'name'), tenant }];
    await expect(migrated(owned)).rejects.toThrow('tenant_id');
    await run('delete from things');
    if (kind === 'sqlite') return;
    await run('alter table things add column tenant_id text collate "C" not null');
    const { done } = await migrated(owned);
    expect(done.filter((what) => what.includes('index'))).toEqual([
      'drop index things_name_key',
      'create unique index things_tenant_id_name_key on things (tenant_id, name)',
      'create index things_tenant_id_id_index on things (tenant_id, id)',
    ]);
  });

  it('makes the database count the ids of a table where it has not', async () => {
    const [thing] = things();
    const [, ...others] = thing!.properties;
    const having = (origin: 'input' | 'managed') => [
      { ...thing!, properties: [property('id', { type: 'integer', origin }), ...others] },
    ];
    await migrated(having('input'));
    await run(ROW.replace(/'0{8}[^']*'/, '41'));
    const { steps, differences } = await planned(having('managed'));
    if (kind === 'sqlite') {
      expect(differences).toMatchObject([
        { what: 'column things.id is not counted by the database, as the contract requires', isHarmless: false },
      ]);
      return;
    }
    expect(differences).toEqual([]);
    expect(steps.map(({ what }) => what)).toEqual(['column things.id is counted']);
    await migrated(having('managed'));
    await run(ROW.replace("('00000000-0000-7000-8000-000000000001',", '(default,').replace("'one'", "'two'"));
    const store = await openStore(here.location, having('managed'), SETTINGS);
    const rows = await store.list({
      resource: 'things',
      conditions: [],
      order: [{ property: 'id', direction: 'asc' }],
      limit: 9,
    });
    await store.close();
    expect(rows.map(([id]) => id)).toEqual([41, expect.toSatisfy((id: number) => id > 41)]);
    expect((await planned(having('managed'))).steps).toEqual([]);
  });

  it('adds columns and indexes, and sets the initial value in existing rows', async () => {
    await migrated(things());
    await run(ROW);
    const sorted = {
      ...things(
        property('rank', { type: 'integer', initial: 7 }),
        property('label', { initial: "it's" }),
        property('isOpen', { type: 'boolean', initial: true }),
        property('tags', { type: 'json', initial: ['a'] }),
        property('note', { nullable: true, required: false }),
      )[0]!,
      unique: [['name']],
      list: {
        defaultLimit: 20,
        maximumLimit: 100,
        filters: [],
        sorts: [{ value: 'rank', property: 'rank', direction: 'asc' as const }],
        defaultSort: [],
      },
    };
    const { done } = await migrated([sorted]);
    expect(done).toEqual([
      'add column things.rank',
      'add column things.label',
      'add column things.is_open',
      'add column things.tags',
      'add column things.note',
      'create unique index things_name_key on things (name)',
      'create index things_rank_id_index on things (rank, id)',
    ]);
    const store = await openStore(here.location, [sorted], SETTINGS);
    const row = await store.get('things', '00000000-0000-7000-8000-000000000001');
    await store.close();
    expect(row?.slice(4)).toEqual(['one', 7, "it's", 1, '["a"]', null]);
  });

  // As docs/migrations.md shows it.
  it('says of what takes long how many rows it is about, for how long, and whether writes wait', async () => {
    await migrated(things());
    await run(ROW);
    const list = { defaultLimit: 20, maximumLimit: 100, filters: [], sorts: [], defaultSort: [], search: ['name'] };
    const next = [{ ...things()[0]!, unique: [['name']], list }];
    const told: (readonly string[])[] = [];
    const report = (what: string, estimate?: string) => void (estimate && told.push([what, estimate]));
    const { steps } = await planned(next);
    await migrateDatabase(here.location, { resources: next }, here.folder, { report });
    const unique = 'create unique index things_name_key on things (name)';
    const words = 'create search index things_name__words on things (name)';
    const expected =
      kind === 'sqlite'
        ? [
            [unique, '1 row, about 0.1 s; writes wait for up to 0.1 s'],
            [words, '1 row, about 0.1 s; writes wait for up to 0.3 s'],
          ]
        : [
            [unique, '1 row, about 0.1 s; writes go on'],
            ['keep words of things in column things_name__words', 'writes wait for up to 1 s'],
            ['fill column things_name__words', '1 row, about 0.1 s; writes go on'],
            [words, '1 row, about 0.1 s; writes go on'],
          ];
    expect(steps.flatMap(({ what, estimate }) => (estimate ? [[what, estimate]] : []))).toEqual(expected);
    expect(told).toEqual(expected);
  });

  it('drops indexes that it created for an earlier contract, and no others', async () => {
    await migrated([{ ...things()[0]!, unique: [['name']] }]);
    await run('create index somebodys_idx on things (version)');
    expect((await migrated(things())).done).toEqual(['drop index things_name_key']);
  });

  it.each([
    [
      'a new required column without a default',
      things(property('rank', { type: 'integer' })),
      'column things.rank is new and required, with no default',
    ],
    [
      'another type',
      [resource('things', 'Thing', [property('name', { type: 'integer' })])],
      /column things\.name is text, the contract needs (integer|bigint)/,
    ],
    [
      'a column that must not be empty any more',
      [resource('things', 'Thing', [property('name'), property('note')])],
      'column things.note is optional, but required in the contract',
    ],
  ])('refuses %s, with the SQL, and changes nothing', async (_, resources, message) => {
    const before = things(
      ...(String(message).includes('note') ? [property('note', { nullable: true, required: false })] : []),
    );
    await migrated(before);
    await run(ROW);
    await expect(migrated(resources)).rejects.toThrow(message);
    await expect(migrated(resources)).rejects.toThrow(/\n {4}\S.+;\n/);
    expect(await planned(before)).toMatchObject(NOTHING);
  });

  it('keeps a nullable column that the contract does not have', async () => {
    await migrated(things(property('note', { nullable: true, required: false })));
    const { done, remarks } = await migrated(things());
    expect(done).toEqual([]);
    expect(remarks).toEqual([
      {
        what: 'column things.note is not in the contract',
        byHand: ['alter table "things" drop column "note"'],
        isHarmless: true,
      },
    ]);
    checkMigrated(await planned(things()));
  });

  it.each([
    ['leaves the contract', []],
    ['becomes optional', [property('bornOn', { type: 'date', nullable: true, required: false })]],
  ])('keeps the values of a required property that %s, with what depends on its column', async (_, left) => {
    await migrated(things(property('bornOn', { type: 'date' })));
    await run(ROW.replace('name)', 'name, born_on)').replace("'one')", "'one', '2020-02-29')"));
    await run('create index somebodys_idx on things (born_on)');
    const wanted = things(...left);
    const refused = (await planned(wanted)).differences.filter(({ isHarmless }) => !isHarmless);
    if (kind === 'postgres' && left.length > 0) expect(refused).toEqual([]);
    else {
      expect(refused).toHaveLength(1);
      const file = proposedFile(refused[0]!);
      if (kind === 'postgres') expect(file[1]).toBe('alter table "things" alter column "born_on" drop not null;');
      await writeFile(join(here.folder, '0001-kept.sql'), file.join('\n'));
    }
    expect((await planned(wanted)).differences.filter(({ isHarmless }) => !isHarmless)).toEqual([]);
    await migrated(wanted);
    await run(ROW.replace('00001', '00002'));
    const day = kind === 'postgres' ? 'born_on::text' : 'born_on';
    expect(await ask(here.location, `select ${day} from things order by id`)).toEqual([['2020-02-29'], [null]]);
    await run('drop index somebodys_idx');
  });

  it.each([
    ['whose name has the other', 'name', 'fullName', true],
    ['that is written otherwise', 'colour', 'color', true],
    ['of another name', 'name', 'title', false],
    ['that a word ends alike', 'startsAt', 'name', false],
  ])('proposes to rename a text %s only: from %s to %s', async (_, from, to, isProposed) => {
    const having = (name: string) => [resource('things', 'Thing', [property(name)])];
    await migrated(having(from));
    const sql = (await planned(having(to))).differences.flatMap(({ byHand }) => byHand);
    expect(sql.some((one) => /^alter table .* rename column (?!\S+__made")/.test(one))).toBe(isProposed);
  });

  it('proposes each rename once, the most alike first', async () => {
    const having = (...names: string[]) => [
      resource(
        'things',
        'Thing',
        names.map((name) => property(name)),
      ),
    ];
    await migrated(having('lastName', 'firstName'));
    const sql = (await planned(having('firstNames', 'lastNames'))).differences.flatMap(({ byHand }) => byHand);
    const renames = sql.flatMap((one) => /rename column "(\w+)" to "(\w+)"/.exec(one)?.slice(1).join(' ') ?? []);
    expect([...new Set(renames)].sort()).toEqual(['first_name first_names', 'last_name last_names']);
  });

  it.each([
    ['an enum', { type: 'string', enum: ['OPEN', 'SHUT'] }, "'OPEN'", true],
    ['an enum of other values', { type: 'string', enum: ['ON', 'OFF'] }, "'OPEN'", false],
    ['any text', { type: 'string', enum: undefined }, "'OPEN'", false],
    ['an enum, without rows', { type: 'string', enum: ['OPEN', 'SHUT'] }, undefined, false],
  ])('proposes to rename a text of another name where the rows fit %s: %j', async (_, schema, value, isProposed) => {
    await migrateDatabase(here.location, wantedBy(thingContract({ door: { type: 'string' } })), here.folder);
    if (value !== undefined) await run(insertThing(1, { door: value }));
    const next = wantedBy(
      thingContract({ state: schema }, { version: '2.0.0', facts: { state: { enum: schema.enum! } } }),
    );
    const { differences } = await planDatabase(here.location, next, here.folder);
    const sql = differences.flatMap(({ byHand }) => byHand);
    expect(sql.includes('alter table "things" rename column "door" to "state"')).toBe(isProposed);
  });

  it.each([true, false])(
    'proposes to rename a reference of another name where each refers to a row: %s',
    async (isFit) => {
      const ids = (name: string) => {
        const references = { resource: 'things', onDelete: 'cascade' as const };
        const facts = { [name]: { type: 'uuid' as const, nullable: true, required: false } };
        const part = thingContract({ [name]: { type: ['string', 'null'], format: 'uuid' } }, { facts, required: [] });
        if (name === 'door') return part;
        const [thing] = part.resources;
        const properties = thing!.properties.map((one) => (one.name === name ? { ...one, references } : one));
        return { ...part, resources: [{ ...thing!, properties }] };
      };
      await migrateDatabase(here.location, wantedBy(ids('door')), here.folder);
      await run(insertThing(1, { door: `'${idOfThing(isFit ? 1 : 2)}'` }));
      const { differences } = await planDatabase(here.location, wantedBy(ids('parentId')), here.folder);
      const sql = differences.flatMap(({ byHand }) => byHand);
      expect(sql.includes('alter table "things" rename column "door" to "parent_id"')).toBe(isFit);
    },
  );

  it('refuses a unique index if rows have equal values', async () => {
    await migrated(things());
    await run(ROW);
    await run(ROW.replace('00001', '00002'));
    const unique = [{ ...things()[0]!, unique: [['name']] }];
    await expect(migrated(unique)).rejects.toThrow(/rows have the same values/);
    expect((await planned(unique)).steps.map(({ what }) => what)).toEqual([
      'create unique index things_name_key on things (name)',
    ]);
  });

  it('runs files once, in the order of their names, before the changes of the contract', async () => {
    await migrated(things());
    await run(ROW);
    await writeFile(
      join(here.folder, '0002-fill.sql'),
      'update things set rank = 2; update things set rank = rank + 1;',
    );
    await writeFile(
      join(here.folder, '0001-rank.sqlite.sql'),
      'alter table things add column rank integer not null default 0;',
    );
    await writeFile(
      join(here.folder, '0001-rank.postgres.sql'),
      'alter table things add column rank bigint not null default 0;',
    );
    await writeFile(join(here.folder, 'notes.txt'), 'no migration');
    const ranked = things(property('rank', { type: 'integer' }));
    expect((await planned(ranked)).pending.map(({ name }) => name)).toEqual([`0001-rank.${kind}.sql`, '0002-fill.sql']);
    expect((await migrated(ranked)).done).toEqual([`migrations/0001-rank.${kind}.sql`, 'migrations/0002-fill.sql']);
    expect((await migrated(ranked)).done).toEqual([]);
    const store = await openStore(here.location, ranked, SETTINGS);
    expect((await store.get('things', '00000000-0000-7000-8000-000000000001'))?.at(-1)).toBe(3);
    await store.close();
  });

  it('rolls back a file that fails, and reports one that was changed', async () => {
    const file = join(here.folder, '0001-note.sql');
    await migrated(things());
    await writeFile(file, 'alter table things add column note text;\n\nupdate nowhere\n  set a = 1;');
    for (const run of [migrated, planned])
      await expect(run(things())).rejects.toThrow(/^migrations\/0001-note\.sql:3: .*nowhere/);
    await rm(file);
    expect((await planned(things())).differences).toEqual([]);
    await writeFile(file, 'alter table things add column note text;');
    await migrated(things());
    await writeFile(file, 'alter table things add column other text;');
    await expect(migrated(things())).rejects.toThrow('migrations/0001-note.sql was changed after it ran');
  });

  it('is done once by ten servers that start together', async () => {
    await writeFile(join(here.folder, '0001-own.sql'), 'create table own (name text);');
    const reports = await Promise.all(
      Array.from({ length: 10 }, () => migrated([{ ...things()[0]!, unique: [['name']] }])),
    );
    const done = reports.flatMap((report) => report.done);
    expect(done.sort()).toEqual([
      'create table things',
      'create unique index things_name_key on things (name)',
      'migrations/0001-own.sql',
    ]);
  });

  it('is required before a server starts that may not migrate', async () => {
    const plan = await planned(things());
    expect(() => checkMigrated(plan)).toThrow(/create table things\nRun npm run migrate/);
  });
});
