import pg from 'pg';
import { makeDatabaseOn } from '../../src/tools/scratch/postgres-database.ts';

/** Where the tests find a Postgres that they may make databases in. */
const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

async function answers(): Promise<boolean> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Whether the tests on Postgres run. With `REQUIRE_POSTGRES=true` they do, and fail without a server. */
export const hasPostgres = process.env['REQUIRE_POSTGRES'] === 'true' || (await answers());

/** An empty database; its URL, and how to drop it. */
export const makeDatabase = () => makeDatabaseOn(SERVER, 'test');
