import { availableParallelism } from 'node:os';
import { type Table, tablesOf } from '../../../descriptor/table.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { Lane } from '../lane.ts';
import { ALL_ROWS, type RowScope } from '../row-scope.ts';
import { standingIn, withOwnTables } from '../stand-in.ts';
import { ReadCost } from '../statements/read-cost.ts';
import { TableStatements } from '../statements/table-statements.ts';
import type { CommitListener, Isolation, Reader, Snapshot, Store, Transaction, TurnTaker } from '../store.ts';
import { type WallOf, walledReader, wallsOf } from '../tenant-wall.ts';
import { Checkpoints } from './checkpoints.ts';
import { FileHealth } from './file-health.ts';
import { GroupCommit } from './group-commit.ts';
import { OwnTables } from './own-tables.ts';
import { SlowThread } from './slow-thread.ts';
import { inSnapshot } from './snapshot.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { openFile, type SqliteOptions } from './sqlite-file.ts';
import { SqliteJobs, SqliteJobWrites } from './sqlite-jobs.ts';
import { migrateTables } from './sqlite-migration.ts';
import { type Apart, SqliteReader, type Tables } from './sqlite-reader.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';
import { TableSizes } from './table-sizes.ts';

/**
 * Opens the database with two connections: a writer, and a reader that sees committed rows only. Migrates its tables
 * first, unless `isMigrated`; mapped resources have tables of Lockstep. Throws `MigrationError` when that could lose data.
 */
export function openSqliteStore(options: SqliteOptions): Store {
  const health = new FileHealth(options.clock);
  const resources = withOwnTables(options.resources);
  const writer = new SqliteConnection(openFile(options), health.translated);
  if (!options.isMigrated) migrateTables(writer.database, resources);
  const reader = new SqliteConnection(openFile(options), health.translated);
  return standingIn(new SqliteStore(writer, reader, health, { ...options, resources }), options.resources);
}

const BUSY_TIMEOUT_MS = 5_000;
const SLOW_READS = { waitTimeoutMs: 5_000, maxWaiting: 100 };
/** Threads for reads that may take long, started as they are needed: each may use a core. */
const SLOW_THREADS = Math.min(4, Math.max(2, availableParallelism()));

const DATA_VERSION = { sql: 'pragma data_version', slots: [] };

class SqliteStore extends SqliteReader implements Store {
  readonly hasRowLocks = false;
  readonly maxDependants: number | undefined;
  readonly history = 's';
  readonly #options: SqliteOptions;
  readonly #writer: SqliteConnection;
  readonly #health: FileHealth;
  /** Read once per turn of the event loop. */
  #changesElsewhere: number | undefined;
  readonly #transaction: SqliteTransaction;
  readonly #wallOf: WallOf | undefined;
  readonly #commits: GroupCommit;
  readonly #own: OwnTables;
  readonly jobs: SqliteJobs;
  readonly #apart: Apart;
  /** For what the event loop does not wait for. */
  readonly #aside: SlowThread;
  readonly reads = (_position: bigint, scope?: RowScope, caller?: TurnTaker): Reader => this.within(scope, caller);
  readonly ofTenant = (): Reader => this;
  readonly keyOf = (): readonly string[] => ['id'];
  readonly secret = (name: string): Uint8Array => this.#own.secret(name);
  readonly clockMark = (atLeast?: number): MaybePromise<number> => this.#own.clockMark(atLeast);
  readonly deleteExpired = (now: Date, limit: number): Promise<number> => this.#own.deleteExpired(now, limit);

  constructor(writer: SqliteConnection, reader: SqliteConnection, health: FileHealth, options: SqliteOptions) {
    const { resources, busyTimeoutMs = BUSY_TIMEOUT_MS, clock = () => performance.now() } = options;
    const table = new Map(tablesOf(resources).map((one) => [one.descriptor.key, one]));
    const named = (key: string): Table => table.get(key)!;
    const tables: Tables = new Map(
      [...table].map(([key, own]) => [key, new TableStatements(sqliteDialect, own, {}, named)]),
    );
    const sizes = new TableSizes(reader);
    const threads = Array.from(
      { length: SLOW_THREADS },
      () => new SlowThread({ file: options.file }, health.translated),
    );
    const cost = new ReadCost((name) => sizes.isSmall(name));
    const apart = { cost, lane: new Lane(threads, SLOW_READS) };
    super(reader, tables, apart);
    this.maxDependants = options.maxDependants;
    this.#options = options;
    this.#apart = apart;
    this.#writer = writer;
    this.#health = health;
    this.#wallOf = wallsOf(resources);
    this.#aside = new SlowThread({ file: options.file, writeTimeoutMs: busyTimeoutMs });
    const checkpoints = new Checkpoints(this.#aside);
    const onCommit = (): void => checkpoints.follow(writer.writtenPages);
    this.#commits = new GroupCommit(writer, { busyTimeoutMs, clock, onCommit });
    const jobs = new SqliteJobWrites(writer, this.#commits);
    this.#transaction = new SqliteTransaction(writer, jobs, tables, this.#wallOf);
    const access = { reader, writer, commits: this.#commits, aside: this.#aside };
    this.#own = new OwnTables(access);
    this.jobs = new SqliteJobs(access);
  }

  async transaction<T>(
    work: (transaction: Transaction) => MaybePromise<T>,
    isolation?: Isolation,
    listener?: CommitListener,
    scope: RowScope = ALL_ROWS,
  ): Promise<T> {
    const within = (own: SqliteTransaction) => work(own.within(scope));
    const run = isolation === 'serial' ? () => this.#transaction.untilEnd(within) : () => within(this.#transaction);
    const result = await this.#commits.run(run);
    listener?.onCommit();
    listener?.onPosition(0n);
    return result;
  }

  within(scope: RowScope = ALL_ROWS, caller?: TurnTaker): Reader {
    const own = new SqliteReader(this.connection, this.tables, this.#apart, caller);
    return this.#wallOf ? walledReader(own, this.#wallOf(scope)) : own;
  }

  ping(): void {
    this.connection.execute('pragma user_version');
    this.#health.check(this.#writer);
  }

  /** The writer's own changes do not count (https://www.sqlite.org/pragma.html#pragma_data_version). */
  changesElsewhere(): number {
    if (this.#changesElsewhere === undefined) {
      this.#changesElsewhere = this.#writer.value(DATA_VERSION, []) as number;
      // Requests of the same turn share the value.
      setImmediate(() => {
        this.#changesElsewhere = undefined;
      });
    }
    return this.#changesElsewhere;
  }

  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return inSnapshot(openFile(this.#options), this.tables, work);
  }

  close(): MaybePromise<void> {
    this.#apart.lane.close();
    const ending = [...this.#apart.lane.places, this.#aside]
      .map((one) => one.close())
      .filter((one) => one !== undefined);
    return whenKnown(ending.length > 0 ? Promise.all(ending) : undefined, () => {
      this.connection.database.close();
      this.#writer.database.close();
    });
  }
}
