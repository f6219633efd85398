import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ConfigError, systemFault } from '../descriptor/config-error.ts';
import { holdCopy } from '../runtime/storage/migration/index.ts';
import { liveTables, runOn } from '../runtime/storage/sqlite/index.ts';
import { commandConfig } from '../tools/command-config.ts';
import { createProgress } from '../tools/progress.ts';

/** Pages that are copied between two reports. */
const PAGES_AT_ONCE = 1_000;

/** https://www.sqlite.org/rescode.html#full: the source is only read. */
const SQLITE_FULL = 13;

export interface BackupOptions {
  /** The file to write. */
  readonly to: string;
}

/**
 * Copies the SQLite database of the settings into a new file, which is there as a whole or not at all. Throws `ConfigError`
 * for Postgres, for a file that exists, for a database that cannot be read, and for a place that has no room.
 */
export async function backupDatabase({ to }: BackupOptions): Promise<void> {
  const { database } = commandConfig();
  if (database.kind === 'postgres') throw new ConfigError(['DATABASE_URL: for Postgres, use its own tool, pg_dump.']);
  const target = resolve(to);
  if (existsSync(target)) throw new ConfigError([`--to: ${to} is already there.`]);
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.part`;
  await removeAll(part);
  try {
    const pages = await copyPages(database.file, part);
    await holdJobsIn(part);
    await rename(part, target);
    console.log(`${to}: ${pages.toLocaleString('en')} pages. Its jobs are held until \`npm run jobs -- release\`.`);
  } catch (error) {
    await removeAll(part);
    if ((error as { errcode?: number }).errcode === SQLITE_FULL)
      throw new ConfigError([`--to: ${dirname(to)} has no room for the copy.`]);
    throw systemFault('DATABASE_URL, DATA_DIR', database.file, error);
  }
}

/** The file may have no tables of Lockstep, or those of an earlier release. */
async function holdJobsIn(file: string): Promise<void> {
  using database = new DatabaseSync(file);
  const tables = liveTables(database);
  if (tables.has('lockstep_object') && tables.has('lockstep_job')) await holdCopy(runOn(database));
}

/** The file, and what SQLite writes beside it until it is complete. */
async function removeAll(file: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(file + suffix, { force: true });
}

async function copyPages(file: string, target: string): Promise<number> {
  const source = new DatabaseSync(file, { readOnly: true });
  const progress = createProgress('pages');
  try {
    // What is read once a transaction has begun stays as it is: SQLite begins a copy anew whenever somebody else writes.
    source.exec('begin; select 1 from sqlite_schema');
    const report = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
      progress.report(totalPages - remainingPages, totalPages);
    return await backup(source, target, { rate: PAGES_AT_ONCE, progress: report });
  } finally {
    progress.end();
    source.close();
  }
}
