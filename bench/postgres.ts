import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Runs a statement on a database. */
export async function administer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An empty database on a server; its URL, and how to drop it. */
export async function makeDatabase(server: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `lockstep_bench_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
