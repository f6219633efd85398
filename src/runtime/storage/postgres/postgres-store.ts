import { createHmac } from 'node:crypto';
import { type Layout, PLAIN } from '../../../descriptor/layout.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { layoutIn } from '../../../descriptor/migration/layout-in.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type Table, tablesOf, tenantColumnsOf } from '../../../descriptor/table.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { acrossReader } from '../across-tenants.ts';
import { ownRows } from '../migration/own-rows.ts';
import { ALL_ROWS, ofTenant, type RowScope } from '../row-scope.ts';
import { ReadCost } from '../statements/read-cost.ts';
import type { CommitListener, Isolation, Reader, Snapshot, Store, Transaction, TurnTaker } from '../store.ts';
import { type WallOf, walledOfKnown, walledReader, wallsOf } from '../tenant-wall.ts';
import { type Query, singleValue } from './answer.ts';
import { ConnectionPool } from './connection-pool.ts';
import { liveTables } from './live-tables.ts';
import { mappedTables } from './mapped-tables.ts';
import type { DatabaseLog } from './outage.ts';
import { OwnTables } from './own-tables.ts';
import { Positions } from './positions.ts';
import { storeError } from './postgres-errors.ts';
import { PostgresJobs } from './postgres-jobs.ts';
import { PostgresReader, type PostgresTables, type Read } from './postgres-reader.ts';
import { postgresTables } from './postgres-tables.ts';
import { transactionClauses } from './postgres-transaction.ts';
import { PrimaryClock } from './primary-clock.ts';
import { ReplicaReads } from './replica-reads.ts';
import { checkRowSecurity, OWN_WORK, scopeStatements } from './row-security.ts';
import { IDENTITY, Standby, type StandbyOptions, type StandbyPool } from './standby.ts';
import { sizesIn, TableSizes } from './table-sizes.ts';
import { TransactionRunner } from './transaction-runner.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly resources: readonly ResourceDescriptor[];
  /** Number of connections of this server. Four in ten are for reading and shared by all requests. */
  readonly connections?: number;
  /** Servers that divide what an instance may have beyond them; one if left out. */
  readonly workers?: number | undefined;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** A standby that answers reads. */
  readonly readUrl?: string | undefined;
  readonly log?: DatabaseLog | undefined;
  /** 32 bytes that all secrets are derived from; undefined: tables of Lockstep keep them. */
  readonly secret?: Uint8Array | undefined;
  /** Policies of the tables let a transaction reach the rows alone that it says it is about. */
  readonly hasRowSecurity?: boolean;
  /** Whether inserts that arrive at once run in one transaction; true if left out. */
  readonly groupsInserts?: boolean | undefined;
}

const SNAPSHOT = 'begin isolation level repeatable read, read only';
/** Whoever copies a snapshot also waits for where it is written. */
const MAY_IDLE = 'set local idle_in_transaction_session_timeout = 0';

/** Connects to a database that already has the contract's tables. Throws the error that prevented the connection. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, connections = 10, statementTimeoutMs = 1_500, connectTimeoutMs = 2_000 } = options;
  const { hasRowSecurity = false, readUrl, log, resources, workers, groupsInserts } = options;
  const readers = Math.max(1, Math.round(connections * 0.4));
  const writers = Math.max(1, connections - readers);
  // Policies that there are do not bind a server that makes no use of them.
  const isOpen = !hasRowSecurity && options.resources.some(({ tenant }) => tenant);
  const session = isOpen ? OWN_WORK : {};
  const pool = new ConnectionPool({
    url,
    readers,
    writers,
    workers,
    statementTimeoutMs,
    connectTimeoutMs,
    session,
    groupsInserts,
    log,
  });
  await pool.open();
  const read: Query = (sql, values) => pool.read(sql, values);
  const own = resources.filter(({ mapped }) => !mapped);
  const layout = await layoutOf(pool, own);
  await pool.planFor(partitionsOf(layout));
  const held = await closing(pool, () =>
    mappedTables(read, resources, () => secretFor(pool, options.secret, 'version'), log),
  );
  const all = [...tablesOf(own, layout), ...[...held.values()].map(({ table }) => table)];
  const parts = new Map([...held.values()].map((one) => [one.table, one]));
  const tables = postgresTables(all, undefined, parts);
  const transactionTables = postgresTables(all, transactionClauses, parts);
  const byTenant = layout.kind === 'plain' ? undefined : new Map(all.map((table) => [table.descriptor.key, table]));
  const wallOf = wallsOf(options.resources, { hasPolicies: hasRowSecurity, tenantColumns: tenantColumnsOf(all) });
  const views = new Set([...held].flatMap(([key, { isView }]) => (isView ? [key] : [])));
  const served = { views, tables, transactionTables, wallOf, hasRowSecurity, byTenant, layout, secret: options.secret };
  const store = new PostgresStore(pool, served, statementTimeoutMs);
  if (hasRowSecurity) await store.checkRowSecurity(all);
  if (readUrl !== undefined) {
    const limits = { readers, writers: 0, workers, statementTimeoutMs, connectTimeoutMs, session };
    const connect = () => {
      const standby = new ConnectionPool({ ...limits, url: readUrl });
      void standby.planFor(partitionsOf(layout));
      return standby;
    };
    const check = (pool: StandbyPool) => checkRowSecurity((sql) => pool.read(sql), all, ' of DATABASE_READ_URL');
    try {
      await store.readFromStandby({ connect, check: hasRowSecurity ? check : undefined, log });
    } catch (error) {
      await store.close();
      throw error;
    }
  }
  return store;
}

/** A secret of its own for each name. */
const derived = (secret: Uint8Array, name: string): Uint8Array => createHmac('sha256', secret).update(name).digest();

const secretFor = async (pool: ConnectionPool, secret: Uint8Array | undefined, name: string): Promise<string> =>
  Buffer.from(secret ? derived(secret, name) : await new OwnTables(pool).secret(name)).toString('hex');

/** The pool is closed if the work fails. */
async function closing<T>(pool: ConnectionPool, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** As the tables show it, on which nothing depends without tenants. */
const layoutOf = async (pool: ConnectionPool, resources: readonly ResourceDescriptor[]): Promise<Layout> =>
  resources.some(({ tenant }) => tenant)
    ? (layoutIn(resources, await liveTables((sql, values) => pool.read(sql, values))) ?? PLAIN)
    : PLAIN;

/** Those of a table; Citus has many on each node. */
const partitionsOf = (layout: Layout): number => {
  if (layout.kind === 'tenants') return layout.partitions;
  return layout.kind === 'citus' ? Number.POSITIVE_INFINITY : 0;
};

/** What a store serves. */
interface Served {
  readonly views: ReadonlySet<string>;
  readonly tables: PostgresTables;
  /** With the clauses of transactions. */
  readonly transactionTables: PostgresTables;
  readonly wallOf: WallOf | undefined;
  readonly hasRowSecurity: boolean;
  /** The tables by resource, if keys begin with the tenant. */
  readonly byTenant: ReadonlyMap<string, Table> | undefined;
  readonly layout: Layout;
  readonly secret: PostgresOptions['secret'];
}

class PostgresStore extends PostgresReader implements Store {
  readonly hasRowLocks = true;
  readonly hasEventsApart: boolean;
  readonly history = 'p';
  readonly #pool: ConnectionPool;
  readonly #own: OwnTables;
  readonly jobs: PostgresJobs;
  readonly #secret: Served['secret'];
  readonly #wallOf: WallOf | undefined;
  readonly #byTenant: Served['byTenant'];
  readonly #runner: TransactionRunner;
  /** What sets the scope of row-level security; undefined without. */
  readonly #openingOf: (scope: RowScope) => string | undefined;
  readonly #within: (scope: RowScope, caller?: TurnTaker) => Reader;
  readonly #cost: ReadCost;
  #standby: Standby | undefined;
  #replica: ReplicaReads | undefined;

  constructor(pool: ConnectionPool, served: Served, retryTimeoutMs: number) {
    const { tables, transactionTables, wallOf, hasRowSecurity, byTenant, layout, secret } = served;
    const mapped = [...tables.values()].map(({ statements }) => statements.table);
    const sizes = new TableSizes((sql) => pool.read(sql), sizesIn(layout, mapped));
    const cost = new ReadCost((table) => sizes.isSmall(table));
    const readWithin =
      (opening: string | undefined, caller?: TurnTaker): Read =>
      ({ name: table }, isBounded, sql, values) =>
        pool.readFrom({ table, isBounded, sql, values, opening, caller });
    const openingOf = (scope: RowScope) => (hasRowSecurity ? scopeStatements(scope) : undefined);
    super(tables, readWithin(openingOf(ALL_ROWS)), cost);
    this.#openingOf = openingOf;
    this.#within = (scope, caller) => new PostgresReader(tables, readWithin(openingOf(scope), caller), cost);
    this.#pool = pool;
    this.#own = new OwnTables(pool);
    this.jobs = new PostgresJobs((sql, values) => pool.write(sql, values), served.views);
    this.#secret = secret;
    // Nodes write no row along with one of the server's own tables.
    this.hasEventsApart = layout.kind === 'citus';
    this.#cost = cost;
    this.#wallOf = wallOf;
    this.#byTenant = byTenant;
    const parts = { tables: transactionTables, unlockedTables: tables, wallOf, openingOf, byTenant };
    const positions = new Positions((sql, values) => pool.read(sql, values));
    this.#runner = new TransactionRunner(pool.transactions, parts, positions, retryTimeoutMs);
  }

  transaction<T>(
    work: (transaction: Transaction) => MaybePromise<T>,
    isolation: Isolation = 'locking',
    listener?: CommitListener,
    scope: RowScope = ALL_ROWS,
    caller?: TurnTaker,
  ): Promise<T> {
    const onPosition = (position: bigint): void => {
      this.#replica?.committed(position);
      listener?.onPosition(position);
    };
    const onCommit = () => listener?.onCommit();
    return this.#runner.run({ work, isolation, onCommit, onPosition, scope, caller, tables: new Set() });
  }

  /** Throws `ConfigError`. */
  async readFromStandby(options: Pick<StandbyOptions, 'connect' | 'check' | 'log'>): Promise<void> {
    const pool = this.#pool;
    const clock = new PrimaryClock((sql, values) => pool.read(sql, values));
    const identity = async () => singleValue(await pool.read(IDENTITY, []));
    const standby = new Standby({ ...options, identity, clock: () => clock.now() });
    this.#standby = standby;
    await standby.start();
    this.#replica = new ReplicaReads({ tables: this.tables, clock, standby, cost: this.#cost });
  }

  reads(position: bigint, scope: RowScope = ALL_ROWS, caller?: TurnTaker): MaybePromise<Reader> {
    if (!this.#replica) return this.within(scope, caller);
    const scoped = { primary: this.#within(scope, caller), opening: this.#openingOf(scope), caller };
    return this.#replica.reader(position, scoped).then((reader) => this.#behind(reader, scope));
  }

  within(scope: RowScope, caller?: TurnTaker): Reader {
    return this.#behind(this.#within(scope, caller), scope);
  }

  /** A reader with the rows of a scope in reach alone. */
  #behind(reader: Reader, scope: RowScope): Reader {
    const tables = this.#byTenant;
    if (!tables || scope.kind !== 'all') return walledReader(reader, this.#wallOf?.(scope));
    return acrossReader(reader, { tables, of: (tenant) => walledOfKnown(reader, this.#wallOf?.(ofTenant(tenant))) });
  }

  ofTenant(tenant: string): Reader {
    return walledOfKnown(this, this.#byTenant && this.#wallOf?.(ofTenant(tenant)));
  }

  /** Throws `ConfigError`. */
  async checkRowSecurity(tables: readonly Table[]): Promise<void> {
    try {
      await checkRowSecurity((sql, values) => this.#pool.read(sql, values), tables);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get replica(): Store['replica'] {
    const [reads, standby] = [this.#replica, this.#standby];
    return reads && standby && (() => ({ ...reads.counts, isServing: standby.isServing }));
  }

  async ping(): Promise<void> {
    await this.#pool.ping();
  }

  keyOf(resource: string): readonly string[] {
    return lookUp(this.tables, resource).statements.table.key;
  }

  changesElsewhere(): undefined {
    return undefined;
  }

  secret(name: string): Promise<Uint8Array> {
    return this.#secret ? Promise.resolve(derived(this.#secret, name)) : this.#own.secret(name);
  }

  clockMark(atLeast?: number): Promise<number> {
    // Nobody makes ids without tables of Lockstep.
    if (this.#secret) return Promise.resolve(0);
    return this.#own.clockMark(atLeast).catch((error: unknown) => {
      throw storeError(error);
    });
  }

  async deleteExpired(now: Date, limit: number): Promise<number> {
    try {
      return await this.#own.deleteExpired(now, limit);
    } catch (error) {
      throw storeError(error);
    }
  }

  async snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const { transactions } = this.#pool;
    const lease = await transactions.acquire();
    const { connection } = lease;
    const query = connection.pinnedQuery();
    const reader = new PostgresReader(this.tables, (_table, _isBounded, sql, values) => query(sql, values));
    try {
      await query(`${connection.beginning(SNAPSHOT, this.#openingOf(ALL_ROWS))}; ${MAY_IDLE}`);
      return await work({
        list: (rows) => reader.list(rows),
        getEach: (...args) => reader.getEach(...args),
        ownRows: () => ownRows('postgres', async (sql, values) => (await query(sql, values)).rows),
      });
    } finally {
      query('commit').catch(() => {});
      transactions.release(lease);
    }
  }

  readonly connections = () => this.#pool.transactions.counts;

  async close(): Promise<void> {
    await this.#standby?.close();
    await this.#pool.close();
  }
}
