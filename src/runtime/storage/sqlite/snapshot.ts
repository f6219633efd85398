import type { DatabaseSync } from 'node:sqlite';
import { ownRows } from '../migration/own-rows.ts';
import type { Snapshot } from '../store.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { runOn } from './sqlite-migration.ts';
import { SqliteReader, type Tables } from './sqlite-reader.ts';

/** Calls `work` with one state of the database, which is closed afterwards. */
export async function inSnapshot<T>(
  database: DatabaseSync,
  tables: Tables,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const reader = new SqliteReader(new SqliteConnection(database), tables);
  try {
    database.exec('begin');
    return await work({
      list: (rows) => reader.list(rows),
      getEach: (...args) => reader.getEach(...args),
      ownRows: () => ownRows('sqlite', runOn(database)),
    });
  } finally {
    database.close();
  }
}
