import { randomBytes } from 'node:crypto';
import { openSession } from '../runtime/storage/postgres/index.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Runs a statement on a database; its rows. */
export async function administer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const { client } = await openSession({ url, connectTimeoutMs: CONNECT_TIMEOUT_MS, settings: 'select' });
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
  return {
    url: server.replace(/(?<=^\w+:\/\/[^/?#]*\/)[^?#]*/, name),
    async drop() {
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
