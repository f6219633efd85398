import type { TenantKey } from '../../../descriptor/layout.ts';
import type { LiveTable, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { DatabaseKind } from '../location.ts';
import type { Reader } from '../store.ts';
import type { HandWritten } from './hand-written.ts';
import type { RunSql } from './records.ts';

/** A database that is locked for migration. */
export interface MigrationTarget {
  readonly kind: DatabaseKind;
  /** As messages name it: `Postgres at HOST/DB`. */
  readonly place: string;
  /** Of Postgres, which may lay out tables in more than one way. */
  readonly layouts?: { readonly version: number; readonly hasCitus: boolean };
  readonly dialect: SchemaDialect;
  readonly run: RunSql;
  /** Commits all that `work` does, or nothing. */
  transaction<T>(work: () => MaybePromise<T>): Promise<T>;
  /** For how long writes wait at most for a step that takes so long. */
  heldMs(step: Step, ms: number): number;
  /** What puts a second wall before the rows of tenants, or takes it away; none where the database has no such thing. */
  rowSecurity?(tables: readonly Table[], isOn: boolean | undefined): Promise<readonly Step[]>;
  /** The encoding of a database that cannot hold every text. */
  narrowEncoding?(): Promise<string | undefined>;
  /** Tables that others have made in a database without any of Lockstep; none where databases are not shared. */
  strangeTables?(): Promise<readonly string[]>;
  /** Throws `ConfigError` if the tables of mapped resources part from them; no other database has such tables. */
  refuseDrift?(mapped: readonly ResourceDescriptor[]): Promise<void>;
  /** The cluster and the database, of which another one may have the records; undefined if it does not know. */
  identity?(): Promise<string | undefined>;
  /** Makes the place of the tables, if it is missing. */
  prepare?(): Promise<void>;
  liveTables(): MaybePromise<ReadonlyMap<string, LiveTable>>;
  /** Reads rows of a resource, of which the table may have more columns. `tenant`: what its key begins with. */
  reader(resource: ResourceDescriptor, tenant?: TenantKey): Pick<Reader, 'list'>;
  /** Makes the changes and records what they make. Throws `MigrationError` when rows do not allow one. */
  make(steps: readonly Step[], report: Report): MaybePromise<void>;
  /**
   * Runs a file and records that it ran, in one transaction unless the file says otherwise. Throws
   * `FailedMigrationError`. `guard` may refuse what it did in a transaction.
   */
  apply(migration: HandWritten, guard?: (migration: HandWritten) => Promise<void>): MaybePromise<void>;
  /** Runs `work`, and takes back all that it has changed. */
  rehearse<T>(work: (trial: Trial) => Promise<T>): Promise<T>;
}

/** Changes that are taken back, and nothing of which is recorded. */
export interface Trial {
  /** Throws `FailedMigrationError`. */
  run(migration: HandWritten): MaybePromise<void>;
  make(steps: readonly Step[]): MaybePromise<void>;
}

/** Gets what begins, for people who watch, and what it is expected to take, where that is known. */
export type Report = (what: string, estimate?: string) => void;

/** Those that follow each other with the same key. */
export function grouped(steps: readonly Step[], keyOf: (step: Step) => unknown): Step[][] {
  const groups: Step[][] = [];
  let last: unknown = groups;
  for (const step of steps) {
    const key = keyOf(step);
    if (key === last) groups.at(-1)!.push(step);
    else groups.push([step]);
    last = key;
  }
  return groups;
}
