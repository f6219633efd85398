import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import type { DatabaseLocation } from '../../src/runtime/storage/database/database.ts';
import { endedByTests } from './clean-up.ts';
import { borrowEmptyDatabase, hasPostgres } from './postgres.ts';

/** A place for a database, without tables. */
export interface Place {
  readonly name: string;
  readonly kind: DatabaseLocation['kind'];
  open(): Promise<{ location: DatabaseLocation; drop(): Promise<void> }>;
}

const sqlite: Place = {
  name: 'SQLite',
  kind: 'sqlite',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    return {
      location: { kind: 'sqlite', file: join(folder, 'test.db') },
      drop: endedByTests(() => rm(folder, { recursive: true })),
    };
  },
};

const postgres: Place = {
  name: 'Postgres',
  kind: 'postgres',
  async open() {
    const { url, giveBack } = await borrowEmptyDatabase();
    return { location: { kind: 'postgres', url }, drop: endedByTests(giveBack) };
  },
};

export const places: readonly Place[] = hasPostgres ? [sqlite, postgres] : [sqlite];

/** A database without tables, and a folder for migrations and data, of the test that runs. */
export interface EmptyPlace {
  readonly location: DatabaseLocation;
  readonly folder: string;
}

/** Each test of the block gets both anew. */
export function emptyPlaceEach({ open }: Place): EmptyPlace {
  let opened: Awaited<ReturnType<Place['open']>>;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    opened = await open();
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true });
  });
  return {
    get location() {
      return opened.location;
    },
    get folder() {
      return folder;
    },
  };
}

/** Runs SQL past the store. */
export async function execute(location: DatabaseLocation, sql: string): Promise<void> {
  if (location.kind === 'sqlite') {
    const database = new DatabaseSync(location.file);
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** What a query past the store answers, row by row. */
export async function ask(location: DatabaseLocation, sql: string): Promise<unknown[][]> {
  if (location.kind === 'sqlite') {
    const database = new DatabaseSync(location.file);
    const rows = database.prepare(sql).all();
    database.close();
    return rows.map((row) => Object.values(row));
  }
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows;
}
