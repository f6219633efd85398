import { type Difference, type Plan, planMigration } from '../../../descriptor/migration/plan.ts';
import type { LiveTable, SchemaDialect, Step } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type HandWritten, pendingOf } from './hand-written.ts';
import { MigrationError, PendingMigrationError } from './migration-error.ts';

/** A database that is locked for migration. */
export interface MigrationTarget {
  readonly dialect: SchemaDialect;
  liveTables(): MaybePromise<ReadonlyMap<string, LiveTable>>;
  /** Digests of the hand-written migrations that have run, by name; empty before the first one. */
  applied(): MaybePromise<ReadonlyMap<string, string>>;
  /** Runs a file and records that it ran, in one transaction. */
  apply(migration: HandWritten): MaybePromise<void>;
  /** Runs the steps in order. Those that are not concurrent run in one transaction. */
  run(steps: readonly Step[]): MaybePromise<void>;
  /** Makes the server's internal tables. */
  prepare(): MaybePromise<void>;
}

export interface Migration {
  readonly resources: readonly ResourceDescriptor[];
  readonly handWritten: readonly HandWritten[];
}

/**
 * What a migration would do. When files are pending, steps and differences are those of the database before they ran.
 */
export interface MigrationPlan extends Plan {
  readonly pending: readonly HandWritten[];
}

export async function plan(target: MigrationTarget, { resources, handWritten }: Migration): Promise<MigrationPlan> {
  const pending = pendingOf(handWritten, await target.applied());
  return { pending, ...planMigration(target.dialect, resources, await target.liveTables()) };
}

export interface MigrationReport {
  /** The changes made, in order. */
  readonly done: readonly string[];
  /** Differences from the contract that do no harm. */
  readonly remarks: readonly Difference[];
}

/**
 * Runs the pending hand-written files, then the changes that the contract needs.
 * Throws `MigrationError`, before any of these changes, when data could be lost.
 */
export async function migrate(
  target: MigrationTarget,
  { resources, handWritten }: Migration,
): Promise<MigrationReport> {
  await target.prepare();
  const pending = pendingOf(handWritten, await target.applied());
  for (const migration of pending) await target.apply(migration);
  const { steps, differences } = planMigration(target.dialect, resources, await target.liveTables());
  refuseLoss(differences);
  await target.run(steps);
  return {
    done: [...pending.map(({ name }) => `migrations/${name}`), ...steps.map(({ what }) => what)],
    remarks: differences,
  };
}

/** Throws `PendingMigrationError` or `MigrationError` when the server cannot work with the tables as they are. */
export function checkMigrated({ pending, steps, differences }: MigrationPlan): void {
  const needed = steps.filter(({ isOptional }) => !isOptional);
  if (pending.length > 0 || needed.length > 0) throw new PendingMigrationError({ pending, steps: needed });
  refuseLoss(differences);
}

/** Throws `MigrationError` when a difference could not be resolved without losing data. */
export function refuseLoss(differences: readonly Difference[]): void {
  const harmful = differences.filter(({ isHarmless }) => !isHarmless);
  if (harmful.length > 0) throw new MigrationError(harmful);
}
