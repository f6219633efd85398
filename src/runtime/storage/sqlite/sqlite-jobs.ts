import {
  claimedJob,
  claimJobs,
  foundJob,
  isTrue,
  type JobFinder,
  jobCounts,
  jobDetails,
  jobEntry,
  jobLease,
  lastTick,
  UNKNOWN_JOB,
} from '../claiming.ts';
import {
  type ClaimedJob,
  type ClaimRequest,
  eventInput,
  eventJobName,
  type JobCounts,
  type JobDetails,
  type JobEnd,
  type JobEntry,
  type JobLease,
  type JobQueue,
  type JobWrites,
  type LastTick,
  LEASE_MS,
  MAX_DEPTH,
  type NewEvent,
  type NewJob,
  type Tick,
  TOO_DEEP,
} from '../jobs.ts';
import { holdJobs, releaseJobs } from '../migration/records.ts';
import { endValues, jobStatements } from '../statements/job-statements.ts';
import type { StoredValue } from '../store.ts';
import type { OwnAccess } from './own-tables.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { runOn } from './sqlite-migration.ts';

const now = (position: number): string => `coalesce(?${position}, cast(unixepoch('now', 'subsec') * 1000 as integer))`;
const SQL = jobStatements({
  value: (position) => `?${position}`,
  now,
  texts: (position) => `select value from json_each(?${position})`,
  pairs: (position) => `select value ->> 0 as id, value ->> 1 as claims from json_each(?${position})`,
  once: (select) => `in (${select})`,
  json: (text) => `json_quote(${text})`,
  locks: '',
  skipsLocked: '',
});

const EMIT = `
  insert into lockstep_job (tenant, name, key, kind, input, subject, request_id, depth, attempt, claims, run_at, error, dead_at, traceparent)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, ${now(9)}, ?10, case when ?10 is not null then ${now(9)} end, ?11)`;

const TICK = SQL.scheduled('');

const statement = (sql: string, values: readonly StoredValue[]) => ({ sql, slots: [...values.keys()] });
const lease = ({ id, claims }: JobLease): readonly StoredValue[] => [Number(id), claims];
const leases = (all: readonly JobLease[]): string => JSON.stringify(all.map(lease));

/** Writes jobs over the writing connection, in the transaction that is open there. */
export class SqliteJobWrites implements JobWrites {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  send(job: NewJob, replaces: boolean, now: number | undefined): void {
    const { tenant, name, key, input, subject, requestId, runAt, depth, traceparent = null } = job;
    if (replaces) this.#run(SQL.replace, [tenant, name, key]);
    const values = [tenant, name, key, input, subject, requestId, runAt ?? null, now ?? null, depth, traceparent];
    this.#run(SQL.send, values);
  }

  /** There is one writer, so that the jobs have the order of the commits. */
  emit(events: readonly NewEvent[], now: number | undefined): void {
    for (const event of events) {
      const { resource, rowId, tenant, kind, actor, depth, requestId, traceparent = null } = event;
      const error = depth > MAX_DEPTH ? TOO_DEEP : null;
      const row = [tenant, eventJobName(resource), rowId, kind, eventInput(event), actor, requestId, depth];
      this.#run(EMIT, [...row, now ?? null, error, traceparent]);
    }
  }

  /** Events of a copy. Here they are jobs as soon as they are written. */
  takeCopied(): void {
    this.#run(SQL.ofEvents('lockstep_outbox'), [null, TOO_DEEP]);
    this.#run('delete from lockstep_outbox', []);
  }

  hold(held: JobLease): boolean {
    const values = lease(held);
    return this.#connection.first(statement(SQL.hold, values), values) !== undefined;
  }

  complete(held: JobLease): void {
    this.#run(SQL.done, lease(held));
  }

  #run(sql: string, values: readonly StoredValue[]): void {
    this.#connection.run(statement(sql, values), values);
  }
}

/** The jobs of a file. What is taken and ended is committed along with the transactions of the same turn of the event loop. */
export class SqliteJobs implements JobQueue {
  readonly #access: OwnAccess;

  constructor(access: OwnAccess) {
    this.#access = access;
  }

  claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]> {
    return claimJobs(this.#finder, request, now ?? null);
  }

  /** They are jobs already. */
  async takeEvents(): Promise<number> {
    return 0;
  }

  async lastTicks(schedules: readonly string[], now: number | null = null): Promise<readonly LastTick[]> {
    return this.#read(SQL.lastTicks, [JSON.stringify(schedules), now]).map(lastTick);
  }

  tick({ schedule, at, last, sends }: Tick, now: number | null = null): Promise<void> {
    const values = [schedule, at, last ?? null];
    return this.#write((writer) => {
      const [job] = writer.all(statement(SQL.move, values), values).map(() => sends);
      const scheduled = job && [...values, now, job.name, job.key];
      if (scheduled) writer.run(statement(TICK, scheduled), scheduled);
    });
  }

  async renew(all: readonly JobLease[], now: number | null = null): Promise<ReadonlySet<string>> {
    const [renewed, held] = [[now, LEASE_MS, leases(all)], [leases(all)]];
    const found = await this.#write((writer) => {
      writer.run(statement(SQL.renew, renewed), renewed);
      return writer.all(statement(SQL.held, held), held);
    });
    return new Set(found.map(([id]) => String(id)));
  }

  async end(ended: JobLease, end: JobEnd, now: number | null = null): Promise<void> {
    await this.#change(SQL[end.kind], [...lease(ended), ...endValues(end, now)]);
  }

  async list({ state, name }: Parameters<JobQueue['list']>[0]): Promise<readonly JobEntry[]> {
    return this.#read(SQL.list, [state ?? null, name ?? null]).map(jobEntry);
  }

  async show(id: string): Promise<JobDetails | undefined> {
    return this.#read(SQL.show, [Number(id)]).map(jobDetails)[0];
  }

  async repeat(id: string): Promise<boolean> {
    return (await this.#change(SQL.repeat, [Number(id), null])) > 0;
  }

  async drop(id: string): Promise<boolean> {
    return (await this.#change(SQL.drop, [Number(id)])) > 0;
  }

  async counts(now: number | null = null): Promise<JobCounts> {
    return jobCounts(await this.#access.aside.all({ statement: statement(SQL.counts, [now]), values: [now] }));
  }

  async isHeld(): Promise<boolean> {
    return isTrue(this.#read(SQL.isHeld, [])[0]?.[0]);
  }

  async hold(): Promise<void> {
    await this.#write(({ database }) => holdJobs(runOn(database)));
  }

  async release(): Promise<void> {
    await this.#write(({ database }) => releaseJobs(runOn(database)));
  }

  #read(sql: string, values: readonly StoredValue[]) {
    return this.#access.reader.all(statement(sql, values), values);
  }

  #change(sql: string, values: readonly StoredValue[]): Promise<number> {
    return this.#write((writer) => writer.run(statement(sql, values), values));
  }

  async sweep(names: readonly string[], now: number | null = null): Promise<void> {
    const unknown = [now, JSON.stringify(names), UNKNOWN_JOB];
    await this.#write((writer) => {
      writer.run(statement(SQL.forget, [now]), [now]);
      writer.run(statement(SQL.giveUp, unknown), unknown);
    });
  }

  #write<T>(work: (writer: SqliteConnection) => T): Promise<T> {
    const { commits, writer } = this.#access;
    return commits.run(() => work(writer));
  }

  readonly #finder: JobFinder = {
    find: async (names, isThorough, now) =>
      this.#read(isThorough ? SQL.find : SQL.findQuickly, [now, JSON.stringify(names)]).map(foundJob),
    findFree: async (names, skipped, now) => {
      const values = [now, JSON.stringify(names), JSON.stringify(skipped)];
      return (await this.#access.aside.all({ statement: statement(SQL.findFree, values), values })).map(foundJob);
    },
    findLost: async (names, limit, now) => this.#read(SQL.findLost, [now, JSON.stringify(names), limit]).map(jobLease),
    take: async (all, leaseMs, now) => {
      const values = [now, leaseMs, leases(all)];
      const taken = await this.#write((writer) => writer.all(statement(SQL.take, values), values));
      return taken.map(claimedJob);
    },
  };
}
