import { type Difference, type Plan, planMigration } from '../../../descriptor/migration/plan.ts';
import type { LiveTable, SchemaDialect, Step } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type HandWritten, pendingOf } from './hand-written.ts';
import { MigrationError, PendingMigrationError } from './migration-error.ts';

/** A database whose tables may be changed, held by nobody else meanwhile. */
export interface MigrationTarget {
  readonly dialect: SchemaDialect;
  liveTables(): MaybePromise<ReadonlyMap<string, LiveTable>>;
  /** Digests by name; empty before the first migration. */
  applied(): MaybePromise<ReadonlyMap<string, string>>;
  /** Runs a file and notes that it ran, or neither. */
  apply(migration: HandWritten): MaybePromise<void>;
  /** Runs the steps in order; those that are not concurrent all, or none. */
  run(steps: readonly Step[]): MaybePromise<void>;
  /** Makes the tables of the program's own. */
  prepare(): MaybePromise<void>;
}

export interface Migration {
  readonly resources: readonly ResourceDescriptor[];
  readonly handWritten: readonly HandWritten[];
}

/** What a migration would do. With hand-written files pending, the rest is as it would be without them. */
export interface MigrationPlan extends Plan {
  readonly pending: readonly HandWritten[];
}

export async function plan(target: MigrationTarget, { resources, handWritten }: Migration): Promise<MigrationPlan> {
  const pending = pendingOf(handWritten, await target.applied());
  return { pending, ...planMigration(target.dialect, resources, await target.liveTables()) };
}

export interface MigrationReport {
  /** What was done, in order. */
  readonly done: readonly string[];
  /** What stands against the contract and does no harm. */
  readonly remarks: readonly Difference[];
}

/**
 * Runs the hand-written files that have not run, then what the contract needs and loses nothing.
 * Throws `MigrationError`, before any step, when something could be lost.
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

/** Throws `PendingMigrationError`, `MigrationError` unless the server works on the tables as they are. */
export function checkMigrated({ pending, steps, differences }: MigrationPlan): void {
  const needed = steps.filter(({ isOptional }) => !isOptional);
  if (pending.length > 0 || needed.length > 0) throw new PendingMigrationError({ pending, steps: needed });
  refuseLoss(differences);
}

export function refuseLoss(differences: readonly Difference[]): void {
  const harmful = differences.filter(({ isHarmless }) => !isHarmless);
  if (harmful.length > 0) throw new MigrationError(harmful);
}
