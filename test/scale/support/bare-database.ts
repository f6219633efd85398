import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { DatabaseLocation } from '../../../src/runtime/storage/location.ts';
import { makeDatabaseOn } from '../../../src/tools/postgres-database.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';

/** Runs a statement, and answers its rows as texts. */
export type Query = (sql: string) => Promise<readonly (readonly string[])[]>;

/** A database of its own without tables, and statements that no store runs. */
export interface BareDatabase {
  /** As `DATABASE_URL` has it. */
  readonly url: string;
  readonly location: DatabaseLocation;
  readonly query: Query;
  close(): Promise<unknown>;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'Postgres';
  open(): Promise<BareDatabase>;
}

const sqlite: DatabaseKind = {
  name: 'SQLite',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const file = join(folder, 'large.db');
    const query: Query = async (sql) => {
      const database = new DatabaseSync(file);
      // What is lost in a fall is filled again.
      database.exec('pragma synchronous = off');
      const rows = database.prepare(sql).all();
      database.close();
      return rows.map((row) => Object.values(row).map(String));
    };
    const close = endedByTests(() => rm(folder, { recursive: true }));
    return { url: `sqlite:${file}`, location: { kind: 'sqlite', file }, query, close };
  },
};

const postgres: DatabaseKind = {
  name: 'Postgres',
  async open() {
    const { url, drop } = await makeDatabaseOn(SERVER, 'scale');
    const query: Query = async (sql) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query({ text: sql, rowMode: 'array' });
        return rows.map((row: unknown[]) => row.map(String));
      } finally {
        await client.end();
      }
    };
    return { url, location: { kind: 'postgres', url }, query, close: drop };
  },
};

/** The databases that figures are taken on. */
export const databaseKinds: readonly DatabaseKind[] = hasPostgres ? [sqlite, postgres] : [sqlite];
