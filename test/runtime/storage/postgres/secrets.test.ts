import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../../src/runtime/storage/store.ts';
import { postgresFor } from '../../../support/databases.ts';
import { property, resource } from '../../../support/descriptors.ts';
import { eventually } from '../../../support/eventually.ts';
import { hasPostgres } from '../../../support/postgres.ts';

const things = resource('things', 'Thing', [property('name')]);

/** Processes of Postgres that have waited for a lock longer than reads may. */
const WAITING = `
  select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and clock_timestamp() - query_start > interval '50 ms'`;

describe.skipIf(!hasPostgres)('a secret that another server is making', () => {
  let database: Awaited<ReturnType<typeof postgresFor>>;
  let store: Store;
  let other: pg.Client;

  beforeEach(async () => {
    database = await postgresFor([things]);
    const limits = { connections: 4, statementTimeoutMs: 60_000 };
    store = await openPostgresStore({ url: database.url, resources: [things], ...limits });
    other = new pg.Client(database.url);
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await store.close();
    await database.giveBack();
  });

  it('is waited for, and is the same', async () => {
    await other.query('begin');
    await other.query("insert into lockstep_secret (name, value) values ('cursors', '\\x0102')");
    const secret = store.secret('cursors');
    const hasWaited = eventually(async () => expect((await other.query(WAITING)).rows).toHaveLength(1));
    await Promise.race([hasWaited, secret]);
    await other.query('commit');
    expect(await secret).toEqual(new Uint8Array([1, 2]));
  });
});
