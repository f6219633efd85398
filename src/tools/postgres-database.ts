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

/** A database that is there for a while. */
export interface TemporaryDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** A database on a server: an empty one, or a copy of another. */
export async function makeDatabaseOn(
  server: string,
  purpose: string,
  template: Pick<TemporaryDatabase, 'name'> = { name: 'template0' },
): Promise<TemporaryDatabase> {
  const name = `lockstep_${purpose}_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name} template ${template.name}`);
  return {
    name,
    url: server.replace(/(?<=^\w+:\/\/[^/?#]*\/)[^?#]*/, name),
    async drop() {
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
