import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNREADY } from '../../../src/runtime/http/readiness.ts';
import type { ServerOptions } from '../../../src/runtime/server.ts';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { databases } from '../../support/databases.ts';
import { documentText } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { authorInput, librarian, newAuthor } from '../../support/library.ts';
import { ownedDatabase } from '../../support/owned-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';
import { hasDisks, type SmallDisk, smallDisk } from '../../support/small-disk.ts';

const { resources } = await contractOf('library');
const ready = { status: 200, body: { status: 'ok' } };
const because = (why: string) => ({
  status: 503,
  body: { code: 'SERVICE_UNAVAILABLE', detail: `Not ready: ${why}.`, instance: '/readyz' },
});
const serve = (store: Store, options: Partial<ServerOptions> = {}): Promise<Service> =>
  startService('library', { name: 'the test', open: async () => ({ store, close: async () => {} }) }, {}, options);
const readiness = (service: Service) => service.request('GET', '/readyz');
const write = (service: Service) => service.request('POST', '/v1/authors', { as: librarian, body: authorInput() });

/** Reads are answered, a write is 503, and the process lives. */
async function servesReadsAlone(service: Service, id: string): Promise<void> {
  // A connection that has been cut may be found out by the read that gets it.
  await eventually(async () =>
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 }),
  );
  expect(await service.request('GET', '/livez')).toMatchObject({ status: 200 });
  await eventually(async () => {
    const refused = await write(service);
    expect(refused).toMatchObject({ status: 503, body: { detail: 'The database cannot be used at the moment.' } });
    expect(refused.headers['retry-after']).toBe('1');
  });
}

describe.each(databases)('readiness on $name', (database) => {
  it('ends when the server is told to stop', async () => {
    const state = { isReady: true };
    const service = await startService('library', database, {}, { readiness: state });
    expect(await readiness(service)).toMatchObject(ready);
    state.isReady = false;
    expect(await readiness(service)).toMatchObject(because('stopping'));
    await service.close();
  });

  it('asks nothing of writers: a transaction that goes on delays it by nothing', async () => {
    const service = await startService('library', database);
    const { promise, resolve } = Promise.withResolvers<void>();
    const holding = Array.from({ length: 10 }, () => service.store.transaction(() => promise));
    for (let i = 0; i < 3; i++) expect(await readiness(service)).toMatchObject(ready);
    resolve();
    await Promise.all(holding);
    await service.close();
  });
});

it('has reasons that the documentation explains', () => {
  const text = documentText('monitoring.md');
  for (const why of UNREADY) expect(text).toContain(`| \`${why}\` |`);
});

describe.skipIf(!hasPostgres)('readiness on Postgres', () => {
  const CONNECTIONS = 4;
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let store: Store;
  let service: Service;

  beforeEach(async () => {
    database = await ownedDatabase();
    await lockedPostgres(database.url, (target) => migrate(target, { resources, handWritten: [] }));
  });
  afterEach(async () => {
    await service.close();
    await store.close();
  });

  async function start(options: Partial<ServerOptions> = {}): Promise<void> {
    store = await openPostgresStore({ url: database.url, resources, connections: CONNECTIONS });
    service = await serve(store, options);
  }
  const alter = (what: string) => administer(database.admin, `alter role ${database.role} ${what}`);
  const end = () =>
    administer(
      database.admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${database.role}'`,
    );

  it('needs no connection beyond those that serve requests', async () => {
    await alter(`connection limit ${CONNECTIONS}`);
    await start();
    expect(await readiness(service)).toMatchObject(ready);
    expect(await write(service)).toMatchObject({ status: 201 });
  });

  it('ends while the role may not write, with the reason, and comes back by itself', async () => {
    await start();
    const { id } = await newAuthor(service);
    await alter('set default_transaction_read_only = on');
    await end();
    await eventually(async () => expect(await readiness(service)).toMatchObject(because('read-only')));
    await servesReadsAlone(service, id);
    await alter('reset default_transaction_read_only');
    // No write tells the server that it could.
    await eventually(async () => expect(await readiness(service)).toMatchObject(ready));
  });

  it('does not ask for writes where reads are served on purpose', async () => {
    await start({ servesReadsOnly: true });
    await alter('set default_transaction_read_only = on');
    await end();
    for (let i = 0; i < 5; i++) await eventually(async () => expect(await readiness(service)).toMatchObject(ready));
    await end();
    await eventually(async () => expect(await readiness(service)).toMatchObject(ready));
  });

  it('ends while no transaction can have a connection', async () => {
    await start();
    await alter('connection limit 0');
    await end();
    await eventually(async () => expect(await readiness(service)).toMatchObject(because('unreachable')));
    await alter('connection limit -1');
    await eventually(async () => expect(await readiness(service)).toMatchObject(ready));
  });
});

describe('readiness on SQLite', () => {
  let folder: string;
  let file: string;
  let store: Store;
  let service: Service;
  let id: string;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    file = join(folder, 'test.db');
    now = 0;
    await start();
    ({ id } = await newAuthor(service));
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  async function start(path = file, options: Partial<ServerOptions> = {}, isReadOnly = false): Promise<void> {
    store = openSqliteStore({
      file: path,
      resources,
      busyTimeoutMs: 20,
      clock: () => now,
      isMigrated: isReadOnly,
      isReadOnly,
    });
    service = await serve(store, options);
  }
  async function stop(): Promise<void> {
    await service.close();
    await store.close();
  }
  async function restart(...args: Parameters<typeof start>): Promise<void> {
    await stop();
    await start(...args);
  }

  it('ends where the file is read-only, unless reads are served on purpose', async () => {
    const path = `file:${file}?mode=ro`;
    await restart(path, {}, true);
    for (let i = 0; i < 2; i++) expect(await readiness(service)).toMatchObject(because('read-only'));
    await servesReadsAlone(service, id);
    expect(await readiness(service)).toMatchObject(because('read-only'));
    await restart(path, { servesReadsOnly: true }, true);
    expect(await readiness(service)).toMatchObject(ready);
  });

  it('serves a copy whose journal cannot be changed', async () => {
    await stop();
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = delete');
    database.close();
    await start(`file:${file}?mode=ro`, { servesReadsOnly: true }, true);
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
    expect(await readiness(service)).toMatchObject(ready);
  });

  it('ends once a statement has met a damaged page', async () => {
    await stop();
    const database = new DatabaseSync(file);
    const { rootpage } = database.prepare("select rootpage from sqlite_schema where name = 'authors'").get()!;
    const { page_size: size } = database.prepare('pragma page_size').get()!;
    database.close();
    const at = (Number(rootpage) - 1) * Number(size);
    await writeFile(file, (await readFile(file)).fill(0xff, at, at + Number(size)));
    await start(file, { servesReadsOnly: true });
    expect(await readiness(service)).toMatchObject(ready);
    expect(await write(service)).toMatchObject({ status: 503 });
    for (let i = 0; i < 2; i++) expect(await readiness(service)).toMatchObject(because('damaged'));
    // What is whole is read.
    expect(await service.request('GET', '/v1/books')).toMatchObject({ status: 200 });
  });

  it('waits for no other process that writes', async () => {
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    expect(await readiness(service)).toMatchObject(ready);
    other.exec('rollback');
    other.close();
  });

  it('changes nothing, and commits at most once in ten seconds', async () => {
    const other = new DatabaseSync(file);
    other.exec('pragma user_version = 7');
    const commits = () => other.prepare('pragma data_version').get()!['data_version'];
    const before = commits();
    const rows = other.prepare('select count(*) as count from lockstep_memory').get();
    for (let i = 0; i < 20; i++) expect(await readiness(service)).toMatchObject(ready);
    const first = commits();
    expect(first).not.toBe(before);
    now += 9_999;
    await readiness(service);
    expect(commits()).toBe(first);
    now += 1;
    await readiness(service);
    expect(commits()).not.toBe(first);
    expect(other.prepare('pragma user_version').get()).toEqual({ user_version: 7 });
    expect(other.prepare('select count(*) as count from lockstep_memory').get()).toEqual(rows);
    other.close();
  });

  describe.skipIf(!hasDisks)('on a disk of its own', () => {
    let disk: SmallDisk;

    beforeEach(() => {
      disk = smallDisk(4_096);
    });
    afterEach(() => disk.end());

    it('ends while the disk is full, and comes back', async () => {
      await restart(join(disk.folder, 'test.db'));
      ({ id } = await newAuthor(service));
      expect(await readiness(service)).toMatchObject(ready);
      disk.fill();
      expect(await write(service)).toMatchObject({ status: 507, body: { code: 'INSUFFICIENT_STORAGE' } });
      expect(await readiness(service)).toMatchObject(because('full'));
      expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
      disk.clear();
      expect(await readiness(service)).toMatchObject(ready);
      expect(await write(service)).toMatchObject({ status: 201 });
      // Before the file system goes.
      await restart();
    });
  });
});
