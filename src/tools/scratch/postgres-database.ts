import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Runs a statement on a database; its rows. */
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
export async function makeDatabaseOn(
  server: string,
  purpose: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `lockstep_${purpose}_${randomBytes(8).toString('hex')}`;
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
