import { claimedJob, QUICK_WINDOW } from '../claiming.ts';
import {
  type ClaimedJob,
  type ClaimRequest,
  type EndedRun,
  eventInput,
  eventJobName,
  isEventName,
  type JobLease,
  type JobWrites,
  LEASE_MS,
  MAX_DEPTH,
  type NewEvent,
  type NewJob,
  type Tick,
  TOO_DEEP,
} from '../jobs.ts';
import { holdJobs, releaseJobs } from '../migration/records.ts';
import { endValues, jobStatements } from '../statements/job-statements.ts';
import type { Statement } from '../statements/statement.ts';
import { type JobValues, leaseValues, TableJobs } from '../statements/table-jobs.ts';
import { ShapedStatements } from '../statements/table-statements.ts';
import type { StoredValue } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
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

const EMIT: Statement = {
  sql: `
    insert into lockstep_job (tenant, name, key, kind, input, subject, request_id, depth, attempt, claims, run_at, error, dead_at, traceparent)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, ?9, ?10, ?11, ?12)`,
  slots: Array.from({ length: 12 }, (_, i) => i),
};

const TICK = SQL.scheduled('');

const statements = new ShapedStatements();

const statement = (sql: string, values: readonly StoredValue[]): Statement =>
  statements.once(sql, () => ({ sql, slots: [...values.keys()] }));

function takeFree(limit: number, names: readonly string[], values: readonly StoredValue[]): Statement {
  const areSent = !names.some(isEventName);
  return statements.once(`take ${limit} ${names.length} ${areSent}`, () =>
    statement(SQL.takeFree(limit, names.length, areSent), values),
  );
}

function endAll(writer: SqliteConnection, ended: readonly EndedRun[], now: number | null = null): void {
  for (const run of ended) {
    const values = [...leaseValues(run), ...endValues(run.end, now)];
    writer.run(statement(SQL[run.end.kind], values), values);
  }
}

/** Writes jobs over the writing connection, in the transaction that is open there. */
export class SqliteJobWrites implements JobWrites {
  readonly #connection: SqliteConnection;
  readonly #commits: GroupCommit;

  constructor(connection: SqliteConnection, commits: GroupCommit) {
    this.#connection = connection;
    this.#commits = commits;
  }

  send(job: NewJob, replaces: boolean, now: number | undefined): void {
    const { tenant, name, key, input, subject, requestId, runAt, depth, traceparent = null } = job;
    if (replaces) this.#run(SQL.replace, [tenant, name, key]);
    const values = [tenant, name, key, input, subject, requestId, runAt ?? null, now ?? null, depth, traceparent];
    this.#run(SQL.send, values);
  }

  /** There is one writer, so that the jobs have the order of the commits. */
  emit(events: () => readonly NewEvent[]): void {
    this.#commits.defer(() => {
      for (const event of events()) this.#write(event);
    });
  }

  /** The database's time is that of its machine. */
  #write(event: NewEvent): void {
    const { resource, rowId, tenant, kind, actor, depth, requestId, traceparent = null, now = Date.now() } = event;
    const job = [tenant, eventJobName(resource), rowId, kind, eventInput(event), actor, requestId, depth, now];
    const death = depth > MAX_DEPTH ? [TOO_DEEP, now] : [null, null];
    this.#connection.run(EMIT, [...job, ...death, traceparent], 0);
  }

  /** Events of a copy. Here they are jobs as soon as they are written. */
  takeCopied(): void {
    this.#run(SQL.ofEvents('lockstep_outbox'), [null, TOO_DEEP]);
    this.#run('delete from lockstep_outbox', []);
  }

  hold(held: JobLease): boolean {
    const values = leaseValues(held);
    return this.#connection.first(statement(SQL.hold, values), values) !== undefined;
  }

  complete(held: JobLease): void {
    this.#run(SQL.done, leaseValues(held));
  }

  #run(sql: string, values: readonly StoredValue[]): void {
    this.#connection.run(statement(sql, values), values);
  }
}

/** The jobs of a file. What is taken and ended is committed along with the transactions of the same turn of the event loop. */
export class SqliteJobs extends TableJobs {
  readonly #access: OwnAccess;

  constructor(access: OwnAccess) {
    super(SQL);
    this.#access = access;
  }

  protected async read(sql: string, values: JobValues) {
    return this.#access.reader.all(statement(sql, values), values);
  }

  protected readAside(sql: string, values: JobValues) {
    return this.#access.aside.all({ statement: statement(sql, values), values });
  }

  protected write(sql: string, values: JobValues) {
    return this.#commit((writer) => writer.all(statement(sql, values), values));
  }

  protected change(sql: string, values: JobValues): Promise<number> {
    return this.#commit((writer) => writer.run(statement(sql, values), values));
  }

  /** They are jobs already. */
  async takeEvents(): Promise<boolean> {
    return false;
  }

  tick({ schedule, at, last, sends }: Tick, now: number | null = null): Promise<void> {
    const values = [schedule, at, last ?? null];
    return this.#commit((writer) => {
      const [job] = writer.all(statement(SQL.move, values), values).map(() => sends);
      const scheduled = job && [...values, now, job.name, job.key];
      if (scheduled) writer.run(statement(TICK, scheduled), scheduled);
    });
  }

  end(ended: readonly EndedRun[], now?: number): Promise<void> {
    return this.#commit((writer) => endAll(writer, ended, now));
  }

  /** What ends and what is taken instead is one transaction, in which a statement that fails undoes itself alone. */
  override async claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]> {
    if (request.isThorough) return super.claim(request, now);
    const { ended = [], names, limit } = request;
    const values = [now ?? null, LEASE_MS, ...names];
    const taking = takeFree(Math.min(limit, QUICK_WINDOW), names, values);
    const outcome = await this.#commit((writer) => {
      endAll(writer, ended, now);
      try {
        return { taken: writer.all(taking, values).map(claimedJob) };
      } catch (error) {
        if (!writer.database.isTransaction) throw error;
        return { error };
      }
    });
    if ('error' in outcome) throw outcome.error;
    return this.claims.goOn(outcome.taken, request, now ?? null);
  }

  async hold(): Promise<void> {
    await this.#commit(({ database }) => holdJobs(runOn(database)));
  }

  async release(): Promise<void> {
    await this.#commit(({ database }) => releaseJobs(runOn(database)));
  }

  #commit<T>(work: (writer: SqliteConnection) => T): Promise<T> {
    const { commits, writer } = this.#access;
    return commits.run(() => work(writer));
  }
}
