import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PostgresConnection } from '../../../../src/runtime/storage/postgres/postgres-connection.ts';
import { administer } from '../../../../src/tools/postgres-database.ts';
import { eventually } from '../../../support/eventually.ts';
import { withFolder } from '../../../support/folder.ts';
import { hasPostgres, makeDatabase } from '../../../support/postgres.ts';
import { type TcpProxy, tcpProxy } from '../../../support/tcp-proxy.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** A database behind two proxies, as if it had two hosts. */
async function withHosts(work: (hosts: readonly TcpProxy[], url: string) => Promise<void>): Promise<void> {
  const url = await makeDatabase();
  const hosts = [await tcpProxy(url), await tcpProxy(url)];
  const { username, password, pathname } = new URL(url);
  const places = hosts.map((host) => new URL(host.url).host).join(',');
  try {
    await work(hosts, `postgres://${username}:${password}@${places}${pathname}`);
  } finally {
    for (const host of hosts) await host.close();
  }
}

async function connected(url: string): Promise<PostgresConnection> {
  const options = { url, connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs: 10_000, nameOf: () => undefined };
  const connection = new PostgresConnection(options);
  await connection.open();
  return connection;
}

const isReadOnly = (url: string, isOn: boolean) =>
  administer(
    url,
    `do $$ begin execute format('alter database %I set default_transaction_read_only = ${isOn ? 'on' : 'off'}', current_database()); end $$`,
  );

describe.skipIf(!hasPostgres)('several hosts in one URL', () => {
  it('one that refuses and one that is silent delay nothing', () =>
    withHosts(async ([refusing, answering], url) => {
      await refusing!.shut();
      const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      const { port } = silent.address() as { readonly port: number };
      const since = performance.now();
      const connection = await connected(url.replace('@', `@127.0.0.1:${port},`));
      expect(performance.now() - since).toBeLessThan(CONNECT_TIMEOUT_MS);
      expect((await connection.query('select 1')).rows).toEqual([['1']]);
      await connection.close();
      silent.close();
      expect(answering).toBeDefined();
    }));

  it('another takes over when the one in use is lost', () =>
    withHosts(async ([first, second], url) => {
      const connection = await connected(url);
      await first!.shut();
      await eventually(async () => expect((await connection.query('select 1')).rows).toEqual([['1']]));
      await first!.open();
      await second!.shut();
      await eventually(async () => expect((await connection.query('select 1')).rows).toEqual([['1']]));
      await connection.close();
    }));

  it('one that accepts writes is asked for; without one the error says what each is', () =>
    withHosts(async ([first], url) => {
      await isReadOnly(first!.url, true);
      const host = /127\.0\.0\.1:\d+: it is read-only, and target_session_attrs is read-write/.source;
      await expect(connected(url)).rejects.toMatchObject({
        code: 'NO_SUITABLE_HOST',
        message: expect.stringMatching(new RegExp(`^${host}; ${host}$`)),
      });
      for (const target of ['any', 'read-only', 'primary', 'prefer-standby'])
        await (await connected(`${url}?target_session_attrs=${target}`)).close();
      await expect(connected(`${url}?target_session_attrs=standby`)).rejects.toThrow('it is read-only');
      await isReadOnly(`${first!.url}?options=-c%20default_transaction_read_only=off`, false);
      await (await connected(url)).close();
    }));

  it('a Unix-domain socket is one, by its folder', () =>
    withFolder({}, async (folder) => {
      const url = await makeDatabase();
      const { hostname, port, username, password, pathname } = new URL(url);
      const server = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        near.pipe(far).pipe(near);
        near.on('error', () => far.destroy());
        // The server resets what it ends before it has read the client's goodbye, as when its database is dropped.
        far.on('error', () => near.destroy());
      }).listen(join(folder, '.s.PGSQL.5432'));
      const socket = `postgres://${username}:${password}@${encodeURIComponent(folder)}${pathname}?sslmode=require`;
      const connection = await connected(socket);
      expect((await connection.query('select 1')).rows).toEqual([['1']]);
      await connection.close();
      await new Promise((resolve) => server.close(resolve));
    }));
});
