import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { authorInput, librarian, newAuthor } from '../../support/library.ts';
import { hasPostgres, makeDatabase, SERVER } from '../../support/postgres.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';

const STATEMENT_TIMEOUT_MS = 1_500;
const unavailable = { failure: { kind: 'unavailable' } };

describe.skipIf(!hasPostgres)('faults of Postgres', () => {
  let proxy: TcpProxy;
  let service: Service;
  let store: Store;
  let direct: string;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    const database: DatabaseKind = {
      name: 'Postgres',
      async open(resources) {
        const url = await makeDatabase();
        direct = url;
        await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [] }));
        proxy = await tcpProxy(url);
        const timeouts = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: 1_500 };
        store = await openPostgresStore({ url: proxy.url, resources, connections: 4, ...timeouts });
        return {
          store,
          async close() {
            await store.close();
            await proxy.close();
          },
        };
      },
    };
    service = await startService('library', database, {}, { http: { log } });
  });
  afterEach(() => service.close());

  const write = () => service.request('POST', '/v1/authors', { as: librarian, body: authorInput() });
  const recovered = () => eventually(async () => expect((await write()).status).toBe(201));

  it('a connection that is refused: the log says why', async () => {
    const { id } = await newAuthor(service);
    const name = new URL(direct).pathname.slice(1);
    await administer(SERVER, `alter database "${name}" with allow_connections false`);
    await administer(SERVER, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await eventually(async () => {
      expect((await service.request('GET', `/v1/authors/${id}`)).status).toBe(503);
      expect(lines.at(-1)).toMatch(/database .+ is not currently accepting connections/);
    });
    await administer(SERVER, `alter database "${name}" with allow_connections true`);
    await recovered();
  });

  it('a lost connection: 503 with Retry-After, and the next come through', async () => {
    const { id } = await newAuthor(service);
    await proxy.shut();
    for (const reply of [await write(), await service.request('GET', `/v1/authors/${id}`)]) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
      expect(reply.headers['retry-after']).toBe('1');
    }
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 503 });
    expect(await service.request('GET', '/livez')).toMatchObject({ status: 200 });
    await proxy.open();
    await recovered();
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
  });

  it('a cut below statements in flight refuses them alone', async () => {
    const reads = Array.from({ length: 50 }, () => store.count('authors', []));
    const settled = Promise.allSettled(reads);
    proxy.cut();
    for (const one of await settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(unavailable);
    await recovered();
  });

  it('a database that hangs: 503 in time, and it goes on when the database does', async () => {
    await newAuthor(service);
    proxy.freeze();
    const replies = await Promise.all([
      write(),
      service.request('GET', '/v1/authors'),
      service.request('GET', '/readyz'),
    ]);
    // The database hangs still.
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
    proxy.thaw();
    await recovered();
  });

  it('a transaction that lost its connection does nothing more on another', async () => {
    const { id } = await newAuthor(service);
    const { resources } = await contractOf('library');
    const name = resources.find(({ key }) => key === 'authors')!.properties.findIndex((one) => one.name === 'name');
    const work = store.transaction(async (transaction) => {
      const row = (await transaction.get('authors', id))!;
      proxy.cut();
      await eventually(() => store.ping());
      await transaction.update('authors', row.with(name, 'half of it'), ['name']);
    });
    await expect(work).rejects.toMatchObject(unavailable);
    await recovered();
    expect((await service.request('GET', `/v1/authors/${id}`)).body.name).not.toBe('half of it');
  });

  it('a row that another holds for too long: 503, and nothing is lost', async () => {
    const { id } = await newAuthor(service);
    const { default: pg } = await import('pg');
    const other = new pg.Client({ connectionString: direct });
    await other.connect();
    await other.query('begin');
    await other.query('update authors set name = name where id = $1', [id]);
    const patch = () => service.request('PATCH', `/v1/authors/${id}`, { as: librarian, body: { name: 'Another' } });
    expect(await patch()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await other.query('rollback');
    await other.end();
    expect(await patch()).toMatchObject({ status: 200, body: { name: 'Another', version: 2 } });
  });

  it('all connections taken: 503 in time, and the rest go on', async () => {
    const release = Promise.withResolvers<void>();
    const holding = [0, 1].map(() => store.transaction(() => release.promise));
    expect(await write()).toMatchObject({ status: 503 });
    expect(await service.request('GET', '/v1/authors')).toMatchObject({ status: 200 });
    release.resolve();
    await Promise.all(holding);
    await recovered();
  });
});
