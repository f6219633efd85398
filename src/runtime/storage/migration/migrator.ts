import { ConfigError } from '../../../descriptor/config-error.ts';
import {
  type ContractRecord,
  type NewerContract,
  newerThan,
  type Standing,
  standingOf,
} from '../../../descriptor/migration/contract-record.ts';
import { planMigration } from '../../../descriptor/migration/plan.ts';
import type { RowsFit } from '../../../descriptor/migration/plan-columns.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Difference, Plan, Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tablesOf } from '../../../descriptor/table.ts';
import { withEstimates } from './estimates.ts';
import { fittingRows } from './fitting-rows.ts';
import { refuseForeignTables, refuseOwnTables } from './foreign-tables.ts';
import { type HandWritten, orderOf, pendingOf } from './hand-written.ts';
import { type LayoutWishes, layoutFor } from './layout.ts';
import {
  MigrationError,
  OlderContractError,
  PendingMigrationError,
  StrangeDatabaseError,
  withFilesRun,
} from './migration-error.ts';
import { brokenBy, type Effect, guardAgainst, type OldInstances, oldInstancesOf } from './old-instances.ts';
import { planOwnTables } from './own-tables.ts';
import {
  appliedMigrations,
  forgetNew,
  isRecordedCopy,
  isRecordedNew,
  madeIndexes,
  recordContract,
  recordCopy,
  recordedContracts,
  recordIdentity,
  recordMade,
  recordMigration,
  recordNew,
} from './records.ts';
import { checkRows, type JudgeRows, planRowChecks, type RowCheck } from './row-check.ts';
import { refusedSteps, withRows } from './row-test.ts';
import type { MigrationTarget, Report, Trial } from './target.ts';

/** What a database is to be migrated to. */
export interface Migration extends LayoutWishes {
  readonly handWritten: readonly HandWritten[];
  /** The resources whose tables the contract maps, and no migration touches. */
  readonly mapped?: readonly ResourceDescriptor[];
  /** Recorded in the database, and its rows are held against it. Without one, tables alone are migrated. */
  readonly contract?: JudgedContract | undefined;
  /** The database may be one that takes no writes: nothing is recorded in it. */
  readonly isReadOnly?: boolean;
}

/** A contract with what its rows are judged by. */
interface JudgedContract extends ContractRecord {
  readonly judge: JudgeRows;
}

/** What a migration would do. */
export interface MigrationPlan extends Plan {
  readonly pending: readonly HandWritten[];
  /** Changes of Lockstep's own tables. */
  readonly own: readonly Step[];
  /** Tables with rows that have to be held against the contract, and have not been. */
  readonly checks: readonly RowCheck[];
  /** How the contract stands to those that the database has been served by. */
  readonly standing: Standing;
  /** Version of the newest of these; undefined: none is recorded. */
  readonly served: string | undefined;
  /** The contract that the database belongs to, where this one is older. */
  readonly olderThan?: NewerContract;
  /** Instances that run on; undefined if none can. */
  readonly old?: OldInstances | undefined;
  /** What files and steps that were tried do to them. */
  readonly effects?: readonly Effect[];
  /** It had no table of the contract when its first migration began, and that has not ended. */
  readonly isNew: boolean;
  /**
   * Files that run outside a transaction, and those after them, have not been tried: what follows from them is not
   * known.
   */
  readonly isPartial: boolean;
}

export interface MigrationReport {
  /** The changes made, in order. */
  readonly done: readonly string[];
  /** Differences from the contract that do no harm. */
  readonly remarks: readonly Difference[];
  /** The contract is older than this one, which the database belongs to now: nothing was changed. */
  readonly olderThan?: NewerContract;
}

export interface MigrateOptions {
  /** Drops indexes that Lockstep has made and no contract needs any more. */
  readonly mayDrop?: boolean;
  /** Migrates to a contract even if a newer one is recorded. */
  readonly evenIfOlder?: boolean;
  /** A new database gets its rows from another one: files that have done their work there are recorded, and not run. */
  readonly isFilledByCopy?: boolean;
  /** Forgets by which clock ids have been made: new ones begin at the clock of the server that makes them. */
  readonly resetClock?: boolean;
  /** Makes no table in a database that others have made tables in. */
  readonly sparesStrangers?: boolean;
  /** Makes no table beside tables of others that part from the contract. */
  readonly refusesDrift?: boolean;
  /** Refuses files that break instances of the contract recorded last, unless they say so. */
  readonly sparesInstances?: boolean;
  readonly report?: Report;
}

type Live = ReadonlyMap<string, LiveTable>;

const silent: Report = () => {};

/**
 * What there is to do, from a look at the tables alone: rows are neither counted nor read, and files that are pending
 * not tried.
 */
export async function plan(target: MigrationTarget, migration: Migration): Promise<MigrationPlan> {
  const live = await target.liveTables();
  const pending = pendingOf(migration.handWritten, await appliedMigrations(target.run, live));
  const found = await planOn(target, migration, live, { pending });
  return { ...found, differences: await withRows(target, found.differences), pending, isPartial: pending.length > 0 };
}

/** What `migrate` would do: files that are pending are run and taken back, and all rows in question are read. */
export async function rehearse(target: MigrationTarget, migration: Migration, report = silent): Promise<MigrationPlan> {
  const live = await target.liveTables();
  const pending = pendingOf(migration.handWritten, await appliedMigrations(target.run, live));
  const { isNew, old } = await planOn(target, migration, live, { pending });
  const { before, after } = orderOf(pending, isNew);
  const tries = before.length > 0 || after.length > 0;
  const trying = async (trial: Trial): Promise<MigrationPlan> => {
    const effects: Effect[] = [];
    const judging: Trial = {
      run: async (file) => {
        const tables = await target.liveTables();
        await trial.run(file);
        if (old) effects.push({ name: file.name, breaks: brokenBy(old, tables, await target.liveTables()) });
      },
      make: trial.make,
    };
    let isPartial = await stops(judging, before);
    const steps: Step[] = [];
    const ahead = after.length > 0 && !isPartial ? await stepsAhead(target, migration, isNew) : undefined;
    if (ahead && ahead.asked.length === 0) {
      steps.push(...ahead.steps);
      await trial.make(steps);
      isPartial = await stops(judging, after);
    }
    const found = await judged(target, migration, report);
    if (old) effects.push(...(await tried(target, trial, old, found.steps)));
    return { ...found, steps: [...steps, ...found.steps], isNew, pending, isPartial, effects };
  };
  return tries ? target.rehearse(trying) : { ...(await judged(target, migration, report)), pending, isPartial: false };
}

/**
 * What is made for files that run after tables: tables and columns; in a new database, all. `asked`: whether a column was
 * renamed is a question that comes before the column that it would be.
 */
async function stepsAhead(target: MigrationTarget, migration: Migration, isNew: boolean) {
  const { steps, differences } = await planOn(target, migration, await target.liveTables());
  if (isNew) return { steps, asked: [] };
  const questions = await withRows(
    target,
    differences.filter(({ rows }) => rows?.kind === 'filled'),
  );
  return { steps: steps.filter(({ isShape }) => isShape), asked: questions.filter(({ isHarmless }) => !isHarmless) };
}

/** What steps do to instances of the contract before; those that only work with rows are not tried. */
async function tried(target: MigrationTarget, trial: Trial, old: OldInstances, steps: readonly Step[]) {
  const effects: Effect[] = [];
  for (const step of steps.filter(({ isConcurrent, rows, fails }) => !isConcurrent && !rows && !fails)) {
    const before = await target.liveTables();
    await trial.make([step]);
    effects.push({ name: step.what, breaks: brokenBy(old, before, await target.liveTables()) });
  }
  return effects;
}

/** Runs files; whether it stops before one that runs outside a transaction. */
async function stops(trial: Trial, files: readonly HandWritten[]): Promise<boolean> {
  for (const file of files) {
    if (file.marks.has('no transaction')) return true;
    await trial.run(file);
  }
  return false;
}

type Found = Omit<MigrationPlan, 'pending' | 'isPartial'>;

async function planOn(
  target: MigrationTarget,
  migration: Migration,
  live: Live,
  { rowsFit, pending = [] }: { readonly rowsFit?: RowsFit; readonly pending?: readonly HandWritten[] } = {},
): Promise<Found> {
  const { resources, contract, hasRowSecurity } = migration;
  const recorded = await recordedContracts(target.run, live);
  const last = recorded.at(-1);
  refuseForeignTables(target.dialect, resources, live, last?.shapes, pending);
  await refuseOwnTables(target.run, migration.mapped, last?.shapes);
  const isNew = !last && (!resources.some(({ table }) => live.has(table)) || (await isRecordedNew(target.run, live)));
  const layout = layoutFor(target, migration, live, isNew);
  const shapes = planMigration(target.dialect, resources, live, await madeIndexes(target.run, live), {
    layout,
    ...(rowsFit && { rowsFit }),
    notRenamed: new Set(migration.handWritten.flatMap((file) => file.notRenamed)),
    recorded: last?.shapes,
  });
  const checks = contract ? planRowChecks(target.dialect, resources, live, last?.shapes, contract.shapes) : [];
  const standing = contract ? standingOf(contract, recorded) : 'newer';
  const walls = (await target.rowSecurity?.(tablesOf(resources, layout), hasRowSecurity)) ?? [];
  return {
    ...shapes,
    steps: [...shapes.steps, ...walls],
    own: planOwnTables(target.kind, live),
    checks: await withAnyRow(target, checks),
    standing,
    served: last?.version,
    ...(standing === 'older' && { olderThan: newerThan(contract!, last!) }),
    isNew,
    old: isNew ? undefined : oldInstancesOf(last, live),
  };
}

async function withAnyRow({ run, dialect }: MigrationTarget, checks: readonly RowCheck[]): Promise<RowCheck[]> {
  const filled: RowCheck[] = [];
  for (const check of checks)
    if ((await run(`select 1 from ${dialect.quote(check.resource.table)} limit 1`)).length > 0) filled.push(check);
  return filled;
}

/** The plan with all rows counted and read that it depends on. */
async function judged(target: MigrationTarget, migration: Migration, report: Report): Promise<Found> {
  const live = await target.liveTables();
  const rowsFit = await fittingRows(target, migration.resources, live);
  const found = await planOn(target, migration, live, { rowsFit });
  const isJudged = ({ converts }: Difference): boolean =>
    found.checks.some(({ resource: { table }, conversions }) =>
      conversions.some(({ property }) => converts === `${table}.${property.column}`),
    );
  const planned = await withRows(target, found.differences);
  const differences = [...planned.filter((one) => !isJudged(one)), ...(await refusedSteps(target, found.steps, live))];
  const { contract } = migration;
  const steps = await withEstimates(target, found.steps, live);
  for (const check of contract ? found.checks : []) {
    report(`check rows of ${check.resource.table}`);
    differences.push(...(await checkRows(target, check, contract!.judge, contract!.shapes, report, planned)));
  }
  return { ...found, steps, differences, checks: [] };
}

/**
 * Runs the pending hand-written files, then the changes that the contract needs, and records the contract; a new database
 * gets its tables first. Throws `MigrationError`, before any change that the contract needs, when data could be lost or
 * rows do not meet the contract: the message says which files have run by then. Changes nothing for a contract that is
 * older than the recorded one, unless `evenIfOlder`.
 */
export async function migrate(
  target: MigrationTarget,
  migration: Migration,
  {
    mayDrop = false,
    evenIfOlder = false,
    isFilledByCopy = false,
    resetClock,
    sparesInstances = false,
    sparesStrangers = false,
    refusesDrift = false,
    report = silent,
  }: MigrateOptions = {},
): Promise<MigrationReport> {
  const strange = sparesStrangers ? ((await target.strangeTables?.()) ?? []) : [];
  if (strange.length > 0) throw new StrangeDatabaseError(strange);
  const live = await target.liveTables();
  const unrun = pendingOf(migration.handWritten, await appliedMigrations(target.run, live));
  const { old, own, standing, served, olderThan, isNew } = await planOn(target, migration, live, { pending: unrun });
  const { narrow } = await judgePlace(target, migration, live, isNew, isFilledByCopy);
  // Files may make the tables that are mapped.
  if (refusesDrift && migration.handWritten.length === 0) await target.refuseDrift?.(migration.mapped ?? []);
  await target.prepare?.();
  // A contract that is older is served by a server that is not.
  await target.make(own, report);
  await identify(target);
  if (!live.has('lockstep_object')) await adoptIndexes(target, migration, live);
  if (isFilledByCopy && !(await hasRows(target, migration, live))) await recordCopy(target.run);
  if (resetClock) await target.run('delete from lockstep_clock');
  if (olderThan && !evenIfOlder) return unchanged(target, migration, live, olderThan);
  const pending = pendingOf(migration.handWritten, await appliedMigrations(target.run, await target.liveTables()));
  if (isNew) await recordNew(target.run);
  const { before, after, recorded } = orderOf(pending, isNew, isFilledByCopy);
  const isWanted = ({ drops, isOptional }: Step): boolean => drops === undefined || !isOptional || mayDrop;
  const done: string[] = [];
  try {
    await apply(target, before, report, done, sparesInstances ? old : undefined);
    if (after.length > 0) {
      const { steps, asked } = await stepsAhead(target, migration, isNew);
      refuseLoss(asked);
      await make(target, steps.filter(isWanted), report, done);
      await apply(target, after, report, done, sparesInstances ? old : undefined);
    }
    const { steps, differences } = await judged(target, migration, report);
    refuseLoss(differences, isNew);
    await make(target, steps.filter(isWanted), report, done);
    await target.transaction(async () => {
      for (const file of recorded) await recordMigration(target.run, file);
      if (isNew) await forgetNew(target.run);
      if (migration.contract && (standing !== 'same' || served === undefined))
        await recordContract(target.run, migration.contract);
    });
    return { done: [...done, ...recorded.map(whyRecorded)], remarks: [...narrow, ...differences] };
  } catch (error) {
    const files = done.filter((what) => what.startsWith('migrations/'));
    throw withFilesRun(error as Error, files);
  }
}

async function apply(
  target: MigrationTarget,
  files: readonly HandWritten[],
  report: Report,
  done: string[],
  old?: OldInstances,
) {
  for (const file of files) {
    report(`migrations/${file.name}`);
    const guard = old && guardAgainst(target, old, await target.liveTables());
    await target.apply(file, guard);
    done.push(`migrations/${file.name}`);
  }
}

async function make(target: MigrationTarget, steps: readonly Step[], report: Report, done: string[]) {
  await target.make(steps, report);
  done.push(...steps.map(({ what }) => what));
}

/** A file that is recorded and not run, as it is reported. */
export const whyRecorded = ({ name }: HandWritten): string =>
  `migrations/${name} (recorded, not run: the database is new)`;

function unchanged(
  target: MigrationTarget,
  { resources }: Migration,
  live: Live,
  olderThan: NewerContract,
): MigrationReport {
  const { steps, differences } = planMigration(target.dialect, resources, live);
  const unmet = [...steps, ...differences].filter(({ stopsOlder }) => stopsOlder).map(({ what }) => what);
  if (unmet.length > 0) throw new OlderContractError(olderThan, unmet);
  return { done: [], remarks: [], olderThan };
}

/** Indexes from before Lockstep recorded what it makes: those that the contract needs, by their names, are its own. */
async function adoptIndexes(target: MigrationTarget, { resources }: Migration, live: Live): Promise<void> {
  const none = new Map([...live].map(([name, table]) => [name, { ...table, indexes: new Map() }]));
  for (const { makes } of planMigration(target.dialect, resources, none).steps)
    if (makes && live.get(makes.table)?.indexes.has(makes.name)) await recordMade(target.run, makes);
}

/**
 * Whether a server may start on the tables as they are; records its contract if that is new. Throws
 * `PendingMigrationError` or `MigrationError` when it may not.
 */
export async function admit(target: MigrationTarget, migration: Migration): Promise<MigrationReport> {
  const found = await plan(target, migration);
  const { narrow } = await judgePlace(target, migration, await target.liveTables(), found.isNew);
  const { contract } = migration;
  if (!migration.isReadOnly && found.own.length === 0) await identify(target);
  if (found.olderThan) {
    if (found.own.length > 0) throw new PendingMigrationError([], found.own);
    return unchanged(target, migration, await target.liveTables(), found.olderThan);
  }
  checkMigrated(found);
  if (contract && !migration.isReadOnly && (found.standing === 'newer' || found.served === undefined))
    await target.transaction(() => recordContract(target.run, contract));
  return { done: [], remarks: narrow };
}

/**
 * Whether a database may be used as it is. Throws `ConfigError` when a copy has begun to fill it, unless it goes on with that,
 * for a new one that cannot hold every text, and for any such one that is to find words: their function names characters of
 * all scripts. `narrow` says so of another one that is in use.
 */
async function judgePlace(
  target: MigrationTarget,
  { resources }: Migration,
  live: Live,
  isNew: boolean,
  isFilledByCopy = false,
) {
  if (!isFilledByCopy && (await isRecordedCopy(target.run, live)))
    throw new ConfigError([
      'A copy into this database has begun and not ended: run it again, or use another database.',
    ]);
  const encoding = await target.narrowEncoding?.();
  if (encoding === undefined) return { narrow: [] };
  const what = `The database has the encoding ${encoding}, which cannot hold every text.`;
  if (isNew) throw new ConfigError([`${what} Create it with the encoding UTF8.`]);
  const searched = resources.find(({ list }) => list?.search);
  if (searched)
    throw new ConfigError([
      `${what} The search of ${searched.key} (x-search) needs the encoding UTF8: \`npm run copy\` moves the rows to a database that has it.`,
    ]);
  return { narrow: [{ what: `${what} Texts with other characters are refused.`, isHarmless: true, byHand: [] }] };
}

/** A database that is the copy of another one must not write to its customers. */
async function identify(target: MigrationTarget): Promise<void> {
  const identity = await target.identity?.();
  if (identity !== undefined) await target.transaction(() => recordIdentity(target.run, identity));
}

async function hasRows({ run, dialect }: MigrationTarget, { resources }: Migration, live: Live): Promise<boolean> {
  for (const { table } of resources)
    if (live.has(table) && (await run(`select 1 from ${dialect.quote(table)} limit 1`)).length > 0) return true;
  return false;
}

/** Throws `PendingMigrationError` or `MigrationError` when the server cannot work with the tables as they are. */
export function checkMigrated({ pending, own, steps, checks, differences }: MigrationPlan): void {
  const needed = steps.filter(({ isOptional }) => !isOptional);
  const rows = checks.map(({ resource }) => ({ what: `check the rows of ${resource.table} against the contract` }));
  const missing = [...own, ...needed, ...rows];
  if (pending.length > 0 || missing.length > 0) throw new PendingMigrationError(pending, missing);
  refuseLoss(differences);
}

/** Throws `MigrationError` when a difference could not be resolved without losing data. */
export function refuseLoss(differences: readonly Difference[], isNew = false): void {
  const harmful = differences.filter(({ isHarmless }) => !isHarmless);
  if (harmful.length > 0) throw new MigrationError(harmful, isNew);
}
