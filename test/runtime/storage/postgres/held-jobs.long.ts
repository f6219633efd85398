import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitServer, migrateDatabase, openStore } from '../../../../src/runtime/storage/database/database.ts';
import { hasPostgresServer, PostgresServer, programs } from '../../../faults/support/postgres-server.ts';
import { withFolder } from '../../../support/folder.ts';

describe.skipIf(!hasPostgresServer)('jobs of Postgres', () => {
  let primary: PostgresServer;
  const servers: PostgresServer[] = [];
  const started = async (start: Promise<PostgresServer>): Promise<PostgresServer> => {
    const server = await start;
    servers.push(server);
    return server;
  };
  const isHeld = ({ url }: PostgresServer, start = admitServer) =>
    withFolder({}, async (folder) => {
      const place = { kind: 'postgres', url } as const;
      await start(place, { resources: [] }, folder);
      const settings = { sqliteSynchronous: 'full', databaseConnections: 2, statementTimeoutMs: 60_000 } as const;
      const store = await openStore(place, [], settings);
      const { isHeld } = await store.jobs.counts();
      await store.close();
      return isHeld;
    });

  beforeAll(async () => {
    primary = await started(PostgresServer.start());
    expect(await isHeld(primary, migrateDatabase)).toBe(false);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  it('are held where a dump is restored in another cluster', async () => {
    const other = await started(PostgresServer.start());
    const dump = execFileSync(join(programs() ?? '', 'pg_dump'), [primary.url], { encoding: 'utf8' });
    execFileSync(join(programs() ?? '', 'psql'), [other.url, '-q'], {
      input: dump,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    expect(await isHeld(other)).toBe(true);
  });

  it('are not held by a promotion', async () => {
    const standby = await started(primary.standby());
    await primary.crash();
    await standby.query('select pg_promote()');
    expect(await isHeld(standby)).toBe(false);
  });
});
