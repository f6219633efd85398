import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the tests find a Postgres that they may make databases in. */
const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

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
export async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `lockstep_test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template template0`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

/** Runs a statement on the server itself. */
async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
