import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { hasPostgresServer, PostgresServer } from '../../faults/support/postgres-server.ts';
import { runHere } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';
import { authorInput, librarian, newAuthor } from '../../support/library.ts';
import { openObservatory } from '../../support/observatory.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

/** What `default_transaction_read_only` stands for elsewhere, on a server that is a standby. */
describe.skipIf(!hasPostgresServer)('a server on a standby of Postgres', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let services: Service[];
  let id: string;

  const serve = async (url: string, servesReadsOnly = false): Promise<Service> => {
    const open = async () => {
      const { resources } = await contractOf('library');
      const store = await openPostgresStore({ url, resources, connections: 4 });
      return { store, close: async () => store.close() };
    };
    const service = await startService('library', { name: 'Postgres', open }, {}, { servesReadsOnly });
    services.push(service);
    return service;
  };

  beforeAll(async () => {
    services = [];
    primary = await PostgresServer.start();
    const { resources } = await contractOf('library');
    await lockedPostgres(primary.url, (target) => migrate(target, { resources, handWritten: [] }));
    ({ id } = await newAuthor(await serve(primary.url)));
    standby = await primary.standby();
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await standby.close();
    await primary.close();
  });

  it('answers reads, refuses writes, and says that it is one', async () => {
    const [service, onPurpose] = [await serve(standby.url), await serve(standby.url, true)];
    await eventually(async () =>
      expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 }),
    );
    for (let i = 0; i < 2; i++) {
      expect(await service.request('GET', '/readyz')).toMatchObject({
        status: 503,
        body: { detail: 'Not ready: standby.' },
      });
      expect(await onPurpose.request('GET', '/readyz')).toMatchObject({ status: 200 });
      const refused = await service.request('POST', '/v1/authors', { as: librarian, body: authorInput() });
      expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    }
  });

  it('refuses what code would write, too', async () => {
    const observatory = await openObservatory({
      name: 'Postgres',
      async open(resources) {
        await lockedPostgres(primary.url, (target) => migrate(target, { resources, handWritten: [] }));
        const position = await primary.query('select pg_current_wal_lsn() as at');
        await eventually(async () => {
          const [row] = await standby.query(`select pg_last_wal_replay_lsn() >= '${position[0]!['at']}' as isThere`);
          expect(row).toEqual({ isthere: true });
        });
        // The first server of the primary makes the secret.
        await (await openPostgresStore({ url: primary.url, resources, connections: 2 })).close();
        const store = await openPostgresStore({ url: standby.url, resources, connections: 4 });
        return { store, close: async () => store.close() };
      },
    });
    for (const protocol of ['REST', 'GraphQL'] as const)
      expect(await observatory.tally(protocol, ({ store }) => store.bookings.list({}).then(() => 1))).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    await observatory.close();
  });

  it('is not migrated: the command says why in one line', async () => {
    const { code, stdout, stderr } = await runHere('scripts/migrate.ts', [], { DATABASE_URL: standby.url });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^DATABASE_URL: Postgres at \S+ cannot be used: it is a standby, or read-only \(cannot execute .+ during recovery\)\.\n$|^DATABASE_URL: Postgres at \S+ cannot be used: it is a standby, or read-only \(cannot execute .+ in a read-only transaction\)\.\n$/,
    );
  });
});
