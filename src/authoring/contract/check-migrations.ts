import { join, relative } from 'node:path';
import type { Finding } from '../../compiler/findings/index.ts';
import { judged, notRun, type Result } from '../../compiler/gate/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { wantedBy } from '../../runtime/judged-contract.ts';
import { type DatabaseLocation, migrateDatabase } from '../../runtime/storage/database/index.ts';
import {
  FailedMigrationError,
  MigrationError,
  readMigrations,
  unpairedIn,
} from '../../runtime/storage/migration/index.ts';
import { commandConfig } from '../../tools/command-config.ts';
import { makeDatabaseOn } from '../../tools/postgres-database.ts';

const HINT =
  'Begin an old file that changes existing tables or rows with `-- lockstep: existing rows`: a new database ' +
  'records it without running it. Let a new file insert rows only if they are absent.';

/**
 * Runs all hand-written migrations on an empty database: SQLite in memory, or Postgres (`server`: the URL of a database on it),
 * or both where some files are for SQLite alone. `contracts`: the folder of the contract.
 */
export async function checkMigrations(contracts: string, model: ContractModel, server?: string): Promise<Result> {
  const { database, migrationsDir } = commandConfig();
  const files = [
    ...(await readMigrations(migrationsDir, 'sqlite')),
    ...(await readMigrations(migrationsDir, 'postgres')),
  ];
  const folder = `${relative('', migrationsDir)}/`;
  if (files.length === 0) return notRun(`no files in ${folder}`);
  const hasOwn = (kind: string): boolean => files.some(({ name }) => name.endsWith(`.${kind}.sql`));
  const isForAny = files.some(({ name }) => !/\.(?:sqlite|postgres)\.sql$/.test(name));
  const isOnSqlite = hasOwn('sqlite') || (isForAny && database.kind === 'sqlite' && server === undefined);
  if (!isOnSqlite && server === undefined)
    return notRun('the files are for Postgres: run them in a temporary database with --database URL');
  const place = relative(contracts, migrationsDir);
  const failureOn = (location: DatabaseLocation) =>
    failureOf(place, location, () => migrateDatabase(location, wantedBy(model, location.kind), migrationsDir));
  const unpaired = (await unpairedIn(migrationsDir)).map(({ name, counterpart }): Finding => {
    const message = `${name} has no ${counterpart}: the other database lacks its changes.`;
    const hint = `Write ${counterpart}, or add the line \`-- lockstep: this database alone\`.`;
    const location = { file: join(place, name), line: 1, column: 1, pointer: '' };
    return { rule: 'migration-unpaired', severity: 'warning', message, hint, location };
  });
  const found = [
    ...unpaired,
    ...(isOnSqlite ? await failureOn({ kind: 'sqlite', file: ':memory:' }) : []),
    ...(server === undefined ? [] : await onServer(server, failureOn)),
  ];
  const names = [...(isOnSqlite ? ['SQLite'] : []), ...(server === undefined ? [] : ['Postgres'])];
  const summary = `files of ${folder} on an empty database of ${names.join(' and of ')}`;
  return judged(found, summary);
}

async function onServer<T>(server: string, work: (location: DatabaseLocation) => Promise<T>): Promise<T> {
  const { url, drop } = await makeDatabaseOn(server, 'migrations');
  try {
    return await work({ kind: 'postgres', url });
  } finally {
    await drop();
  }
}

/** What keeps files from running, or the rows that they write from meeting the contract. */
async function failureOf(place: string, { kind }: DatabaseLocation, run: () => Promise<unknown>): Promise<Finding[]> {
  try {
    await run();
    return [];
  } catch (error) {
    const isOfFile = error instanceof FailedMigrationError;
    if (!isOfFile && !(error instanceof MigrationError)) throw error;
    const [file, line] = isOfFile ? [join(place, error.file), error.line] : [place, 1];
    const what = isOfFile ? ((error.cause as Error | undefined) ?? error).message : error.message;
    const message = `On an empty database of ${kind === 'sqlite' ? 'SQLite' : 'Postgres'}: ${what}`;
    const location = { file, line, column: 1, pointer: '' };
    return [{ rule: 'migration-file', severity: 'error', message, hint: HINT, location }];
  }
}
