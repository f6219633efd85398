import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { explainBootFault } from '../../src/runtime/boot-fault.ts';
import { openDatabase } from '../../src/runtime/open-database.ts';
import { readConfig } from '../../src/runtime/settings/config.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { runHere } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { withFolder } from '../support/folder.ts';
import { pinoLines } from '../support/log-lines.ts';
import { ownedDatabase } from '../support/owned-database.ts';
import { hasPostgres } from '../support/postgres.ts';
import { hasDisks, smallDisk } from '../support/small-disk.ts';
import { thingContract } from '../support/thing-contracts.ts';

const contract = { errors: {}, ...thingContract({ name: { type: 'string' } }) } as unknown as CompiledContract;
const { log, entries } = pinoLines('warn');

/** Starts on a database in development, which migrates. */
const started = (url: string, environment: Readonly<Record<string, string>> = {}) =>
  openDatabase(readConfig({ DATABASE_URL: url, DATABASE_CONNECTIONS: '2', ...environment }), contract, log);

/** What is printed of a start that fails. */
const printed = (url: string, environment?: Readonly<Record<string, string>>): Promise<string | undefined> =>
  started(url, environment).then(
    () => 'it has started',
    (error) => explainBootFault(error),
  );

describe.skipIf(!hasPostgres)('a start on a Postgres', () => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let place: string;

  beforeEach(async () => {
    database = await ownedDatabase();
    const { host, pathname } = new URL(database.url);
    place = `Postgres at ${host}${pathname}`;
    entries.length = 0;
  });

  const alter = (what: string) => administer(database.admin, `alter role ${database.role} ${what}`);
  const held = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    return client;
  };

  it('that has no connection left waits for one, to migrate and to serve', async () => {
    await alter('connection limit 2');
    const [one, other] = [await held(), await held()];
    const starting = started(database.url);
    await eventually(() => expect(entries).toHaveLength(1));
    expect(entries[0]).toMatchObject({
      why: expect.stringContaining('too many connections'),
      msg: `waiting for ${place}`,
    });
    // Enough to migrate, and too few to serve.
    await one.end();
    await eventually(() => expect(entries).toHaveLength(2));
    expect(entries[1]).toMatchObject({ why: expect.stringContaining('too many connections') });
    await other.end();
    const store = await starting;
    expect(await store.list({ resource: 'things', conditions: [], order: [], limit: 1 } as never)).toEqual([]);
    await store.close();
  });

  it('whose disk is full says so', async () => {
    const full = `raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'`;
    await administer(
      database.admin,
      `create function full_disk() returns event_trigger language plpgsql as $$ begin ${full}; end $$`,
    );
    await administer(
      database.admin,
      'create event trigger full_disk on ddl_command_start execute function full_disk()',
    );
    expect(await printed(database.url)).toBe(
      `DATABASE_URL: ${place} cannot be used: its disk is full (could not extend file "base/1/2": No space left on device).`,
    );
    await administer(database.admin, 'drop event trigger full_disk');
  });

  it('whose disk is full when the first server makes its secret says so', async () => {
    await (await started(database.url)).close();
    const full = `raise exception 'could not extend file' using errcode = '53100'`;
    await administer(
      database.url,
      `create function full_disk() returns trigger language plpgsql as $$ begin ${full}; end $$`,
    );
    await administer(
      database.url,
      'create trigger full_disk before insert on lockstep_secret execute function full_disk()',
    );
    const store = await started(database.url);
    const error = await Promise.resolve(store.secret('cursor')).catch((thrown: unknown) => thrown);
    expect(explainBootFault(error)).toBe('The database cannot be used: its disk is full (could not extend file).');
    await store.close();
  });

  it('that takes no writes says so, however it is migrated', async () => {
    await alter('set default_transaction_read_only = on');
    const why = new RegExp(
      `^DATABASE_URL: ${place} cannot be used: it is a standby, or read-only \\(cannot execute [A-Z ]+ in a read-only transaction\\)\\.$`,
    );
    expect(await printed(database.url)).toMatch(why);
    const { code, stdout, stderr } = await runHere('scripts/migrate.ts', [], { DATABASE_URL: database.url });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(why);
  });

  it('that takes no writes names the file that would write', () =>
    withFolder(
      { 'migrations/0001-a.sql': '-- lockstep: before tables\nselect 1;\ncreate table own (id integer);' },
      async (folder) => {
        await alter('set default_transaction_read_only = on');
        const args = { DATABASE_URL: database.url, MIGRATIONS_DIR: join(folder, 'migrations') };
        const { code, stderr } = await runHere('scripts/migrate.ts', ['--check'], args);
        expect([code, stderr]).toEqual([
          1,
          'migrations/0001-a.sql:3: cannot execute CREATE TABLE in a read-only transaction\nThe file has changed nothing.\n',
        ]);
      },
    ));
});

describe('a start on a SQLite file', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const faultOf = (file: string) => printed(`sqlite:${file}`, { DATA_DIR: folder });

  it('that another program has locked says so', async () => {
    const file = join(folder, 'test.db');
    await (await started(`sqlite:${file}`)).close();
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    expect(await faultOf(file)).toBe(
      `DATABASE_URL, DATA_DIR: ${file} cannot be used: another program has locked it (database is locked).`,
    );
    other.close();
  });

  describe.skipIf(!hasDisks)('on a disk of its own', () => {
    it('that is full says so, whatever is there already', async () => {
      const disk = smallDisk(1_024);
      const file = join(disk.folder, 'test.db');
      const full = new RegExp(`^DATABASE_URL, DATA_DIR: ${file} cannot be used: its disk is full \\(.+\\)\\.$`);
      disk.fill();
      expect(await faultOf(file)).toMatch(full);
      disk.clear();
      await (await started(`sqlite:${file}`)).close();
      disk.fill();
      // The contract is recorded, and the secret made: what is left to write is the journal.
      expect(await faultOf(file)).toMatch(full);
      disk.clear();
      await (await started(`sqlite:${file}`)).close();
      disk.end();
    });

    it('that is read-only says so', async () => {
      const disk = smallDisk(1_024);
      const file = join(disk.folder, 'test.db');
      await (await started(`sqlite:${file}`)).close();
      disk.makeReadOnly();
      expect(await faultOf(file)).toMatch(
        new RegExp(
          `^DATABASE_URL, DATA_DIR: ${file} cannot be used: it, or its folder, cannot be opened for writing \\(.+\\)\\.$`,
        ),
      );
      disk.end();
    });
  });
});
