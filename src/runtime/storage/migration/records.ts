import type { ContractRecord, RecordedContract } from '../../../descriptor/migration/contract-record.ts';
import type { RowShapes } from '../../../descriptor/migration/row-shapes.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { MadeObject } from '../../../descriptor/migration/step.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { StoredValue } from '../store.ts';
import type { HandWritten } from './hand-written.ts';

/** Runs a statement with `$1`, `$2` … for its values; the rows. */
export type RunSql = (
  sql: string,
  values?: readonly StoredValue[],
) => MaybePromise<readonly (readonly StoredValue[])[]>;

type Live = ReadonlyMap<string, LiveTable>;

const now = (): string => new Date().toISOString();

/** Digests of the hand-written migrations that have run, by name; empty before the first one. */
export async function appliedMigrations(run: RunSql, live: Live): Promise<ReadonlyMap<string, string>> {
  if (!live.has('lockstep_migration')) return new Map();
  const rows = await run('select name, digest from lockstep_migration');
  return new Map(rows.map(([name, digest]) => [name as string, digest as string]));
}

export async function recordMigration(run: RunSql, { name, digests }: HandWritten): Promise<void> {
  await run('insert into lockstep_migration (name, digest, applied_at) values ($1, $2, $3) on conflict do nothing', [
    name,
    digests[0]!,
    now(),
  ]);
}

/** The contracts that the database was served by; the last one is the newest. */
export async function recordedContracts(run: RunSql, live: Live): Promise<readonly RecordedContract[]> {
  if (!live.has('lockstep_contract')) return [];
  const rows = await run('select version, hash, shapes from lockstep_contract order by number');
  return rows.map(([version, hash, shapes]) => ({
    version: version as string,
    hash: hash as string,
    ...(shapes !== null && { shapes: JSON.parse(shapes as string) as RowShapes }),
  }));
}

/** Records a contract as the newest one that the database is served by. */
export async function recordContract(run: RunSql, { version, hash, shapes }: ContractRecord): Promise<void> {
  await run('delete from lockstep_contract where version = $1 and hash = $2', [version, hash]);
  await run('update lockstep_contract set shapes = null where shapes is not null');
  await run(
    `insert into lockstep_contract (number, version, hash, shapes, served_at)
     select coalesce(max(number), 0) + 1, $1, $2, $3, $4 from lockstep_contract`,
    [version, hash, JSON.stringify(shapes), now()],
  );
}

/** Names of the indexes that Lockstep has made. */
export async function madeIndexes(run: RunSql, live: Live): Promise<ReadonlySet<string>> {
  if (!live.has('lockstep_object')) return new Set();
  return new Set((await run("select name from lockstep_object where kind = 'index'")).map(([name]) => name as string));
}

export function recordMade(run: RunSql, { kind, name, table }: MadeObject): ReturnType<RunSql> {
  return run(
    'insert into lockstep_object (name, kind, table_name, made_at) values ($1, $2, $3, $4) on conflict do nothing',
    [name, kind, table, now()],
  );
}

export const forgetMade = (run: RunSql, name: string): ReturnType<RunSql> =>
  run('delete from lockstep_object where name = $1', [name]);

/** Names of records about the database itself; indexes have other names. */
const NEW = 'lockstep_new';
const COPY = 'lockstep_copy';
const HELD = 'lockstep_held';
/** Its `table_name` is the cluster and the database of the records. */
const IDENTITY = 'lockstep_identity';

const recordState = (run: RunSql, name: string): ReturnType<RunSql> =>
  recordMade(run, { kind: 'database', name, table: '' });

const isRecorded = async (run: RunSql, live: Live, name: string): Promise<boolean> =>
  live.has('lockstep_object') && (await run('select 1 from lockstep_object where name = $1', [name])).length > 0;

/** Records that a database was new before Lockstep made its tables. */
export const recordNew = (run: RunSql): ReturnType<RunSql> => recordState(run, NEW);

/** Whether a database was new when its first migration began, which has not ended. */
export const isRecordedNew = (run: RunSql, live: Live): Promise<boolean> => isRecorded(run, live, NEW);

export const forgetNew = (run: RunSql): ReturnType<RunSql> => forgetMade(run, NEW);

/** Records that a copy fills the database. */
export const recordCopy = (run: RunSql): ReturnType<RunSql> => recordState(run, COPY);

/** Whether a copy into the database has begun, and not ended. */
export const isRecordedCopy = (run: RunSql, live: Live): Promise<boolean> => isRecorded(run, live, COPY);

/** Forgets the copy, with the rows that it has written. */
export const FORGET_COPY = `delete from lockstep_object where name = '${COPY}'`;

/** Whether jobs are held, as a condition of any statement. */
export const ARE_HELD = `exists (select 1 from lockstep_object where name = '${HELD}')`;

/** Holds jobs: they are sent, and not run. */
export const holdJobs = (run: RunSql): ReturnType<RunSql> => recordState(run, HELD);

/** Runs them. `identity`: of a database that may have the records of another one, which are its own from now on. */
export async function releaseJobs(run: RunSql, identity?: string): Promise<void> {
  if (identity !== undefined) await recordIdentity(run, identity);
  await forgetMade(run, HELD);
}

/** Holds the jobs of a copy, and gives back those that ran when it was made. */
export async function holdCopy(run: RunSql): Promise<void> {
  await run('update lockstep_job set leased_until = null, attempt = attempt - 1 where leased_until is not null');
  await holdJobs(run);
}

/** Holds the jobs of a database with the records of another one, and records which it is. */
export async function recordIdentity(run: RunSql, identity: string): Promise<void> {
  const [recorded] = await run('select table_name from lockstep_object where name = $1', [IDENTITY]);
  if (recorded?.[0] === identity) return;
  if (recorded) await holdCopy(run);
  await forgetMade(run, IDENTITY);
  await recordMade(run, { kind: 'database', name: IDENTITY, table: identity });
}
