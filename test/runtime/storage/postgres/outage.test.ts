import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { Outage } from '../../../../src/runtime/storage/postgres/outage.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../../src/runtime/storage/store.ts';
import { administer } from '../../../../src/tools/postgres-database.ts';
import { eventually } from '../../../support/eventually.ts';
import { pinoLines } from '../../../support/log-lines.ts';
import { ownedDatabase } from '../../../support/owned-database.ts';
import { hasPostgres, makeDatabase } from '../../../support/postgres.ts';
import { type TcpProxy, tcpProxy } from '../../../support/tcp-proxy.ts';

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

it('all connections are tried again as soon as one is made', async () => {
  const outage = new Outage(undefined);
  const pauses = [outage.pause(0, 2 ** 30), outage.pause(0, 2 ** 30)];
  outage.connected({});
  await Promise.all(pauses);
});

describe.skipIf(!hasPostgres)('connections that Postgres ends', () => {
  let proxy: TcpProxy;
  let store: Store;
  const { log, entries } = pinoLines('info');

  beforeEach(async () => {
    const url = await makeDatabase();
    await lockedPostgres(url, (target) => migrate(target, { resources: [], handWritten: [] }));
    proxy = await tcpProxy(url);
    const timeouts = { statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
    store = await openPostgresStore({ url: proxy.url, resources: [], connections: 4, ...timeouts, log });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  const read = () => store.clockMark();
  const write = () => store.deleteExpired(new Date(0), 1);
  const transact = () => store.transaction((transaction) => transaction.claim('key'), 'locking');
  const unavailable = { failure: { kind: 'unavailable' } };

  it('delay what needs one until it is known that none can be made', async () => {
    proxy.freezeNew();
    proxy.cut();
    await eventually(() => expect(store.connections!()).toMatchObject({ idle: 0 }));
    const waiting = Promise.all([read(), write(), transact(), store.ping()]);
    proxy.thaw();
    await waiting;
    await proxy.shut();
    await eventually(() => expect(entries).toMatchObject([{ msg: 'Postgres cannot be reached' }]));
    for (const ask of [read, write, transact, () => store.ping()])
      await expect((async () => ask())()).rejects.toMatchObject(unavailable);
    await proxy.open();
    await eventually(() => expect(entries).toHaveLength(2));
    await Promise.all([read(), write(), transact(), store.ping()]);
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
