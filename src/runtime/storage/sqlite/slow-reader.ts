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
  /** Answers as well if it fills the page, whose limit is the last value. */
  readonly ahead?: Statement | undefined;
  /** A faster way, if an index of trigrams is whole and finds few rows. */
  readonly searched?: Searched;
}

interface Searched {
  readonly statement: Statement;
  /** Selects 1 where the index is whole. */
  readonly wholeness: Statement;
  readonly probe: Statement;
  /** The text that the index is asked for. */
  readonly text: StoredValue;
}

/** Beyond so many, reading the table in the order of the page finds the first ones sooner. */
const MAX_FOUND = 2_000;

type Rows = readonly (readonly StoredValue[])[];

/** What it gets: rows, or the parts of SQLite's error that a copy between threads would lose. */
export type SlowAnswer =
  | { readonly rows: Rows }
  | { readonly message: string; readonly errcode: number | undefined; readonly missing?: string | undefined };

/** What the thread is started with. */
export interface ThreadData {
  readonly file: string;
  /** How long a statement that writes waits for the lock of the file; undefined: the connection cannot write. */
  readonly writeTimeoutMs?: number | undefined;
}

// This file is a thread of its own: it answers one statement after the other, over a connection of its own.
const { file, writeTimeoutMs } = workerData as ThreadData;
const database = new DatabaseSync(file, { readOnly: writeTimeoutMs === undefined, timeout: writeTimeoutMs ?? 0 });
if (writeTimeoutMs !== undefined) database.exec('pragma synchronous = normal');
database.exec('pragma cache_size = -16384; pragma mmap_size = 268435456; pragma temp_store = memory');
const connection = new SqliteConnection(database);

parentPort!.on('message', (read: SlowRead) => parentPort!.postMessage(answer(read)));

function answer(read: SlowRead): SlowAnswer {
  try {
    return { rows: rowsOf(read) };
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : error;
    const failure = error instanceof StoreError ? error.failure : undefined;
    const missing = failure?.kind === 'missing' ? failure.what : undefined;
    return { message: String(cause), errcode: (cause as { errcode?: number }).errcode, missing };
  }
}

function rowsOf({ statement, values, ahead, searched }: SlowRead): Rows {
  const first = ahead && connection.all(ahead, values);
  if (first && first.length === values.at(-1)) return first;
  return connection.all(searched && isFaster(searched) ? searched.statement : statement, values);
}

function isFaster({ wholeness, probe, text }: Searched): boolean {
  if (connection.value(wholeness, []) !== 1) return false;
  return connection.all(probe, [text, MAX_FOUND + 1]).length <= MAX_FOUND;
}
