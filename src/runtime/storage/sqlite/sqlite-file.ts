import { DatabaseSync } from 'node:sqlite';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { MAX_LOG_PAGES } from './checkpoints.ts';

export interface SqliteOptions {
  /** Path of the database file; made when missing. */
  readonly file: string;
  readonly resources: readonly ResourceDescriptor[];
  /** `full` also survives a power failure, at the cost of a disk flush per commit. */
  readonly synchronous?: 'normal' | 'full';
  /** The tables have been migrated already. */
  readonly isMigrated?: boolean;
  /** How long a write waits for the lock of another process; five seconds if left out. */
  readonly busyTimeoutMs?: number;
  /** Milliseconds that only rise. */
  readonly clock?: () => number;
  /** How many rows a delete may delete or change along with its own; any number if left out. */
  readonly maxDependants?: number | undefined;
  /** The file may be one that cannot be written: its journal is left as it is. */
  readonly isReadOnly?: boolean | undefined;
  /** Limits the file to this many pages of 4 KiB, or to its present size if that is larger; unlimited if left out. */
  readonly maxPages?: number;
}

/** Servers that start on the same file at the same time wait for each other. */
export const BOOT_BUSY_TIMEOUT_MS = 5_000;

/** Opens a connection to the file of a database. */
export function openFile({ file, synchronous = 'normal', maxPages, isReadOnly }: SqliteOptions): DatabaseSync {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BOOT_BUSY_TIMEOUT_MS });
  if (!isReadOnly) database.exec('pragma journal_mode = wal');
  database.exec(`pragma synchronous = ${synchronous}`);
  database.exec('pragma cache_size = -65536');
  database.exec('pragma mmap_size = 268435456');
  database.exec('pragma temp_store = memory');
  database.exec(`pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  if (maxPages !== undefined) database.exec(`pragma max_page_count = ${maxPages}`);
  // While the server runs, `GroupCommit` waits for locks: SQLite's own waiting would block the event loop.
  database.exec('pragma busy_timeout = 0');
  return database;
}
