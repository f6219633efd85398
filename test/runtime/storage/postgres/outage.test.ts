import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../../../src/runtime/storage/postgres/outage.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../../src/runtime/storage/store.ts';
import { administer } from '../../../../src/tools/scratch/postgres-database.ts';
import { eventually } from '../../../support/eventually.ts';
import { pinoLines } from '../../../support/log-lines.ts';
import { ownedDatabase } from '../../../support/owned-database.ts';
import { hasPostgres } from '../../../support/postgres.ts';

describe('connections that fail', () => {
  it('are told of once for each reason, and when the last is back', () => {
    const { log, entries } = pinoLines('info');
    const outage = new Outage(log);
    const [one, other] = [{}, {}];
    for (let i = 0; i < 50; i++) outage.failed(i % 2 ? one : other, new Error('connection refused'));
    outage.failed(one, new Error('starting up'));
    outage.failed(other, new Error('connection refused'));
    outage.connected(one);
    outage.connected({});
    outage.connected(other);
    outage.failed(one, new Error('connection refused'));
    expect(entries).toMatchObject([
      { level: 40, why: 'connection refused', attempts: 1, msg: 'Postgres cannot be reached' },
      { level: 40, why: 'starting up', attempts: 51 },
      { level: 30, attempts: 52, msg: 'Postgres is reached again' },
      { level: 40, why: 'connection refused', attempts: 1 },
    ]);
  });
});

describe.skipIf(!hasPostgres)('a Postgres that refuses connections', () => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let store: Store;
  const { log, entries } = pinoLines('info');

  beforeEach(async () => {
    database = await ownedDatabase();
    store = await openPostgresStore({ url: database.url, resources: [], connections: 3, log });
  });
  afterEach(async () => {
    await store.close();
    await database.end();
  });

  /** Not by another password, which a server may never ask for. */
  const alterRole = (how: 'login' | 'nologin') => administer(database.admin, `alter role ${database.role} ${how}`);

  it('is one line with the reason, whoever tries how often, and one when it is back', async () => {
    await alterRole('nologin');
    await administer(
      database.admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${database.role}'`,
    );
    await eventually(() => expect(entries).toHaveLength(1));
    for (let i = 0; i < 20; i++)
      await expect(Promise.resolve(store.ping())).rejects.toMatchObject({ failure: { kind: 'unavailable' } });
    await alterRole('login');
    await eventually(() => expect(entries).toHaveLength(2));
    await store.ping();
    const [failed, back] = entries;
    expect(failed).toMatchObject({ level: 40, why: expect.stringContaining('not permitted to log in') });
    expect(back).toMatchObject({ level: 30, attempts: expect.any(Number), msg: 'Postgres is reached again' });
  });
});
