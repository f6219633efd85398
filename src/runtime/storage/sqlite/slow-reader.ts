import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Statement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** What the main thread asks. */
export interface SlowRead {
  readonly statement: Statement;
  readonly values: readonly StoredValue[];
}

/** What it gets: rows, or the parts of SQLite's error that a copy between threads would lose. */
export type SlowAnswer =
  | { readonly rows: readonly (readonly StoredValue[])[] }
  | { readonly message: string; readonly errcode: number | undefined };

// This file is a thread of its own: it answers one read after the other, over a connection that cannot write.
const database = new DatabaseSync(workerData as string, { readOnly: true });
database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456; pragma temp_store = memory');
const connection = new SqliteConnection(database);

parentPort!.on('message', (read: SlowRead) => parentPort!.postMessage(answer(read)));

function answer({ statement, values }: SlowRead): SlowAnswer {
  try {
    return { rows: connection.all(statement, values) };
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : error;
    return { message: String(cause), errcode: (cause as { errcode?: number }).errcode };
  }
}
