import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainBootFault } from '../../../src/runtime/boot-fault.ts';
import { parseMigration } from '../../../src/runtime/storage/migration/hand-written.ts';
import { type Migration, migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { property, resource } from '../../support/descriptors.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';

const LIMITS = { attemptMs: 300, pauseMs: 50, patienceMs: 60_000 };
const optional = { required: false, nullable: true };
const free = property('userId', { type: 'uuid', ...optional });
const user = { ...free, references: { resource: 'users', onDelete: 'restrict' } } as const;
const before = [resource('users', 'User', []), resource('things', 'Thing', [property('name')])];
/** Adds a column to either table, and a reference from one to the other. */
const after = [
  resource('users', 'User', [property('note', optional)]),
  resource('things', 'Thing', [property('name'), user]),
];

describe.skipIf(!hasPostgres)('a migration of Postgres beside a transaction that goes on', () => {
  let url: string;
  let clients: pg.Client[];

  beforeEach(async () => {
    url = await makeDatabase();
    clients = [];
    await migrated({ resources: before, handWritten: [] });
  });
  afterEach(async () => {
    for (const client of clients) await client.end();
  });

  const migrated = (migration: Migration, limits = LIMITS) =>
    lockedPostgres(url, (target) => migrate(target, migration), limits);
  const connected = async (name = 'test') => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    clients.push(client);
    await client.connect();
    return client;
  };
  /** How often a lock was asked for and not given: the server counts in `xact_rollback`, when it gets round to it. */
  const rollbacks = async (client: pg.Client) => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      'select xact_rollback from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0].xact_rollback);
  };

  it.each([
    ['reads', 'select * from users'],
    ['writes', 'delete from users'],
    ['reads the table that refers', 'select * from things'],
  ])('that %s lets others in again while it waits', async (_, sql) => {
    const [holder, probe] = [await connected(), await connected()];
    await holder.query('begin');
    await holder.query(sql);
    const failed = await rollbacks(probe);
    let isDone = false;
    const migration = migrated({ resources: after, handWritten: [] }).finally(() => {
      isDone = true;
    });
    // Without a limit, whoever comes after the migration would wait until the transaction ends.
    await eventually(async () => {
      for (const table of ['users', 'things']) {
        await probe.query(`select * from ${table}`);
        await probe.query(`update ${table} set version = version where false`);
      }
      expect(await rollbacks(probe)).toBeGreaterThan(failed + 2);
    });
    expect(isDone).toBe(false);
    await holder.query('commit');
    expect((await migration).done).toContain('add column things.user_id');
  });

  it('gives up when that takes too long, names who holds the lock, and goes on the next time', async () => {
    const holder = await connected();
    await holder.query('begin');
    await holder.query('select name from things');
    const impatient = { ...LIMITS, attemptMs: 50, patienceMs: 100 };
    const migration = { resources: after, handWritten: [] };
    await expect(migrated(migration, impatient)).rejects.toThrow(/^things: locked.*\n {2}process \d+ .*select name/s);
    await holder.query('commit');
    expect((await migrated(migration)).done.length).toBeGreaterThan(0);
  });

  it.each([
    ['a table', 'select name from things', 'alter table things add column own text;', 'The file has changed nothing.'],
    [
      'a row',
      "update things set name = 'b'",
      "-- lockstep: no transaction\nselect 1;\nupdate things set name = 'c';",
      'The statements before it are done: write the file so that it can run again.',
    ],
  ])('of a file that waits for %s gives up, names the table and who holds it', async (_, held, text, done) => {
    const holder = await connected('the holder');
    await holder.query(`insert into things (id, version, created_at, updated_at, name)
      values (gen_random_uuid(), 1, now(), now(), 'a')`);
    await holder.query('begin');
    await holder.query(held);
    const impatient = { ...LIMITS, attemptMs: 50, patienceMs: 100 };
    const file = parseMigration('0001-a.sql', text, 'postgres');
    const failed: Error = await migrated({ resources: before, handWritten: [file] }, impatient).catch((error) => error);
    expect(failed.message.split('\n')).toEqual([
      'things: locked by others for too long. Run it again when they have ended.',
      expect.stringMatching(/^ {2}process \d+ \(the holder, idle in transaction, 00:00:\d\d\): (select|update) /),
      expect.stringMatching(/^migrations\/0001-a\.sql:\d: canceling statement due to lock timeout$/),
      done,
    ]);
    expect(explainBootFault(failed)).toBe(failed.message);
    await holder.query('commit');
    expect((await migrated({ resources: before, handWritten: [file] })).done).toEqual(['migrations/0001-a.sql']);
  });

  it('repeats a hand-written file that has to wait for too long', async () => {
    const [holder, probe] = [await connected(), await connected()];
    await holder.query('begin');
    await holder.query('select name from things');
    const failed = await rollbacks(probe);
    const file = parseMigration('0001-a.sql', 'alter table things add column own text;', 'postgres');
    const migration = migrated({ resources: before, handWritten: [file] });
    await eventually(async () => expect(await rollbacks(probe)).toBeGreaterThan(failed));
    await holder.query('commit');
    expect((await migration).done).toEqual(['migrations/0001-a.sql']);
  });

  it('checks the rows of a new foreign key without a lock that writers wait for', async () => {
    const referring = [before[0]!, resource('things', 'Thing', [property('name'), user])];
    const without = [before[0]!, resource('things', 'Thing', [property('name'), free])];
    await migrated({ resources: without, handWritten: [] });
    const client = await connected();
    const orphan = '00000000-0000-7000-8000-00000000000f';
    await client.query(`insert into things (id, version, created_at, updated_at, name, user_id)
      values (gen_random_uuid(), 1, now(), now(), 'a', '${orphan}')`);
    await expect(migrated({ resources: referring, handWritten: [] })).rejects.toThrow(
      /user_id refers to users on delete restrict: 1 row refers to a row of users that does not exist \(id /,
    );
    await client.query('update things set user_id = null');
    expect((await migrated({ resources: referring, handWritten: [] })).done).toEqual([
      'column things.user_id refers to users on delete restrict',
      'all of column things.user_id refers to users on delete restrict',
      'create index things_user_id_id_index on things (user_id, id)',
    ]);
    const { rows } = await client.query("select convalidated from pg_constraint where conname = 'things_user_id_fkey'");
    expect(rows).toEqual([{ convalidated: true }]);
    // One whose rows were not checked, because a process ended, is checked by the next.
    await client.query('alter table things drop constraint things_user_id_fkey');
    await client.query(`alter table things add constraint things_user_id_fkey foreign key (user_id)
      references users (id) on delete restrict deferrable not valid`);
    expect((await migrated({ resources: referring, handWritten: [] })).done).toHaveLength(1);
  });

  it('completes an index that was left unfinished, and drops none for it', async () => {
    const unique = [before[0]!, { ...before[1]!, unique: [['name']] }];
    await migrated({ resources: unique, handWritten: [] });
    const client = await connected();
    await client.query("update pg_index set indisvalid = false where indexrelid = 'things_name_key'::regclass");
    expect((await migrated({ resources: unique, handWritten: [] })).done).toEqual([
      'complete index things_name_key on things (name)',
    ]);
    expect((await migrated({ resources: unique, handWritten: [] })).done).toEqual([]);
  });
});
