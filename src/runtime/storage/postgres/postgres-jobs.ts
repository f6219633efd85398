import { setImmediate as nextTurn } from 'node:timers/promises';
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
  EVENTS_AT_ONCE,
  type JobCounts,
  type JobDetails,
  type JobEnd,
  type JobEntry,
  type JobLease,
  type JobQueue,
  type JobWrites,
  type LastTick,
  LEASE_MS,
  type Tick,
  TOO_DEEP,
} from '../jobs.ts';
import { holdJobs, type RunSql, releaseJobs } from '../migration/records.ts';
import { endValues, jobStatements } from '../statements/job-statements.ts';
import type { Answer } from './answer.ts';
import { storeError } from './postgres-errors.ts';

const now = (position: number): string =>
  `coalesce($${position}::bigint, (extract(epoch from statement_timestamp()) * 1000)::bigint)`;
const SQL = jobStatements({
  value: (position, type) => `$${position}::${type === 'integer' ? 'bigint' : 'text'}`,
  now,
  texts: (position) => `select jsonb_array_elements_text($${position}::jsonb)`,
  pairs: (position) =>
    `select (value ->> 0)::bigint as id, (value ->> 1)::bigint as claims from jsonb_array_elements($${position}::jsonb)`,
  once: (select) => `= any (array(${select}))`,
  json: (text) => `to_json(${text})::text`,
  locks: ' for update',
  skipsLocked: ' for update skip locked',
});

/** Events that one statement writes. */
const EVENT_BATCH = 500;
const EMIT = `
  insert into lockstep_outbox (resource, row_id, tenant, kind, version, row, before, actor, depth, request_id, traceparent)
  select e ->> 'resource', e ->> 'rowId', e ->> 'tenant', e ->> 'kind', e ->> 'version', e ->> 'row', e ->> 'before',
    e ->> 'actor', (e ->> 'depth')::bigint, e ->> 'requestId', e ->> 'traceparent'
  from jsonb_array_elements($1::jsonb) with ordinality as events (e, n) order by n`;

/** The first 64 bits of a hash of the name of the table. */
const TURN = '7298346510284736450';
/**
 * A turn: whoever has the lock makes jobs of the first events, in their order. It keeps no position, since a lower id may be
 * committed after a higher one; of one row, ids have the order of the commits, because its writers wait for each other.
 */
const TAKE_EVENTS = `
  with turn as materialized (select pg_try_advisory_xact_lock(${TURN}) as mine),
  taken as (
    delete from lockstep_outbox where id = any (array(
      select id from lockstep_outbox where (select mine from turn) order by id limit ${EVENTS_AT_ONCE})) returning *)
  ${SQL.ofEvents('taken')}`;

const TICK = `with moved as (${SQL.move}) ${SQL.scheduled('from moved')}`;

type Run = (sql: string, values: readonly unknown[]) => Promise<Answer>;

const lease = ({ id, claims }: JobLease): readonly unknown[] => [id, claims];
const leases = (all: readonly JobLease[]): string => JSON.stringify(all.map(lease));

/** Throws `StoreError`. */
const translated =
  (run: Run): Run =>
  async (sql, values) => {
    try {
      return await run(sql, values);
    } catch (error) {
      throw storeError(error);
    }
  };

/** Writes jobs by the statements of one transaction. */
export function postgresJobWrites(query: Run): JobWrites {
  const run = translated(query);
  return {
    async send({ tenant, name, key, input, subject, requestId, runAt, depth, traceparent = null }, replaces, now) {
      if (replaces) await run(SQL.replace, [tenant, name, key]);
      const values = [tenant, name, key, input, subject, requestId, runAt ?? null, now ?? null, depth, traceparent];
      await run(SQL.send, values);
    },
    async emit(events) {
      for (let first = 0; first < events.length; first += EVENT_BATCH)
        await run(EMIT, [JSON.stringify(events.slice(first, first + EVENT_BATCH))]);
    },
    async hold(held) {
      return (await run(SQL.hold, lease(held))).rows.length > 0;
    },
    async complete(held) {
      await run(SQL.done, lease(held));
    },
  };
}

/** The jobs of a database: each statement is committed by itself. */
export class PostgresJobs implements JobQueue {
  readonly views: ReadonlySet<string>;
  readonly #run: Run;
  #ending: { readonly leases: JobLease[]; readonly end: Promise<void> } | undefined;

  /** `run`: one statement, on a connection for transactions. */
  constructor(run: Run, views: ReadonlySet<string>) {
    this.views = views;
    this.#run = translated(run);
  }

  claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]> {
    return claimJobs(this.#finder, request, now ?? null);
  }

  async takeEvents(now: number | null = null): Promise<number> {
    return (await this.#run(TAKE_EVENTS, [now, TOO_DEEP])).count;
  }

  async lastTicks(schedules: readonly string[], now: number | null = null): Promise<readonly LastTick[]> {
    return (await this.#run(SQL.lastTicks, [JSON.stringify(schedules), now])).rows.map(lastTick);
  }

  async tick({ schedule, at, last, sends }: Tick, now: number | null = null): Promise<void> {
    const values = [schedule, at, last ?? null];
    await (sends ? this.#run(TICK, [...values, now, sends.name, sends.key]) : this.#run(SQL.move, values));
  }

  async renew(all: readonly JobLease[], now: number | null = null): Promise<ReadonlySet<string>> {
    await this.#run(SQL.renew, [now, LEASE_MS, leases(all)]);
    const { rows } = await this.#run(SQL.held, [leases(all)]);
    return new Set(rows.map(([id]) => String(id)));
  }

  async end(ended: JobLease, end: JobEnd, now: number | null = null): Promise<void> {
    if (end.kind === 'done') return this.#done(ended);
    await this.#run(SQL[end.kind], [...lease(ended), ...endValues(end, now)]);
  }

  /** Those of one turn of the event loop by one statement. */
  #done(ended: JobLease): Promise<void> {
    this.#ending ??= { leases: [], end: nextTurn().then(() => this.#endAll()) };
    this.#ending.leases.push(ended);
    return this.#ending.end;
  }

  async #endAll(): Promise<void> {
    const { leases: ended = [] } = this.#ending ?? {};
    this.#ending = undefined;
    await this.#run(SQL.doneTogether, [leases(ended)]);
  }

  async list({ state, name }: Parameters<JobQueue['list']>[0]): Promise<readonly JobEntry[]> {
    return (await this.#run(SQL.list, [state ?? null, name ?? null])).rows.map(jobEntry);
  }

  async show(id: string): Promise<JobDetails | undefined> {
    return (await this.#run(SQL.show, [id])).rows.map(jobDetails)[0];
  }

  async repeat(id: string): Promise<boolean> {
    return (await this.#run(SQL.repeat, [id, null])).count > 0;
  }

  async drop(id: string): Promise<boolean> {
    return (await this.#run(SQL.drop, [id])).count > 0;
  }

  async isHeld(): Promise<boolean> {
    return isTrue((await this.#run(SQL.isHeld, [])).rows[0]?.[0]);
  }

  async counts(now: number | null = null): Promise<JobCounts> {
    return jobCounts((await this.#run(SQL.counts, [now])).rows);
  }

  async hold(): Promise<void> {
    await holdJobs(this.#rows);
  }

  async release(): Promise<void> {
    await releaseJobs(this.#rows);
  }

  async sweep(names: readonly string[], now: number | null = null): Promise<void> {
    await this.#run(SQL.forget, [now]);
    await this.#run(SQL.giveUp, [now, JSON.stringify(names), UNKNOWN_JOB]);
  }

  readonly #rows: RunSql = async (sql, values = []) => (await this.#run(sql, values)).rows;

  readonly #finder: JobFinder = {
    find: async (names, isThorough, now) =>
      (await this.#run(isThorough ? SQL.find : SQL.findQuickly, [now, JSON.stringify(names)])).rows.map(foundJob),
    findFree: async (names, skipped, now) => {
      const values = [now, JSON.stringify(names), JSON.stringify(skipped)];
      return (await this.#run(SQL.findFree, values)).rows.map(foundJob);
    },
    findLost: async (names, limit, now) =>
      (await this.#run(SQL.findLost, [now, JSON.stringify(names), limit])).rows.map(jobLease),
    take: async (all, leaseMs, now) => (await this.#run(SQL.take, [now, leaseMs, leases(all)])).rows.map(claimedJob),
  };
}
