import { type EndedRun, EVENTS_AT_ONCE, type JobWrites, type NewEvent, type Tick, TOO_DEEP } from '../jobs.ts';
import { holdJobs, releaseJobs } from '../migration/records.ts';
import { endValues, jobStatements } from '../statements/job-statements.ts';
import { type JobValues, leasesValue, leaseValues, TableJobs } from '../statements/table-jobs.ts';
import type { Answer } from './answer.ts';
import { EMIT } from './event-statements.ts';
import { storeError } from './postgres-errors.ts';
import { identityOf } from './standby.ts';

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
/** Of rows, in characters or bytes, behind which a statement writes or takes no further event: each has a time limit. */
const MUCH = 2 ** 22;

/** The first 64 bits of a hash of the name of the table. */
const TURN = '7298346510284736450';
/**
 * A turn: whoever has the lock makes jobs of the first events, in their order. It keeps no position, since a lower id may be
 * committed after a higher one; of one row, ids have the order of the commits, because its writers wait for each other.
 */
const TAKE_EVENTS = `
  with turn as materialized (select pg_try_advisory_xact_lock(${TURN}) as mine),
  first as (
    select id, octet_length(row) + coalesce(octet_length(before), 0) as size
    from lockstep_outbox where (select mine from turn) order by id limit ${EVENTS_AT_ONCE}),
  waiting as materialized (select id, sum(size) over (order by id) - size as ahead from first),
  taken as (
    delete from lockstep_outbox where id = any (array(select id from waiting where ahead < ${MUCH})) returning *),
  made as (${SQL.ofEvents('taken')} returning 1)
  select 1 from (select count(*) as n from made) m where n = ${EVENTS_AT_ONCE} or n < (select count(*) from waiting)`;

const TICK = `with moved as (${SQL.move}) ${SQL.scheduled('from moved')}`;

type Run = (sql: string, values: readonly unknown[]) => Promise<Answer>;

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
    async emit(eventsOf) {
      for (const events of writtenTogether(eventsOf())) await run(EMIT, [JSON.stringify(events)]);
    },
    async hold(held) {
      return (await run(SQL.hold, leaseValues(held))).rows.length > 0;
    },
    async complete(held) {
      await run(SQL.done, leaseValues(held));
    },
  };
}

function writtenTogether(events: readonly NewEvent[]): readonly (readonly NewEvent[])[] {
  const batches: NewEvent[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const last = batches.at(-1);
    if (!last || last.length === EVENT_BATCH || characters >= MUCH) {
      batches.push([event]);
      characters = 0;
    } else last.push(event);
    characters += event.row.length + (event.before?.length ?? 0);
  }
  return batches;
}

/** The jobs of a database: each statement is committed by itself. */
export class PostgresJobs extends TableJobs {
  readonly views: ReadonlySet<string>;
  readonly #run: Run;

  /** `run`: one statement, on a connection for transactions. */
  constructor(run: Run, views: ReadonlySet<string>) {
    super(SQL);
    this.views = views;
    this.#run = translated(run);
  }

  protected async read(sql: string, values: JobValues = []) {
    return (await this.#run(sql, values)).rows;
  }

  protected readAside(sql: string, values: JobValues) {
    return this.read(sql, values);
  }

  protected write(sql: string, values: JobValues) {
    return this.read(sql, values);
  }

  protected async change(sql: string, values: JobValues): Promise<number> {
    return (await this.#run(sql, values)).count;
  }

  async takeEvents(now: number | null = null): Promise<boolean> {
    return (await this.read(TAKE_EVENTS, [now, TOO_DEEP])).length > 0;
  }

  async tick({ schedule, at, last, sends }: Tick, now: number | null = null): Promise<void> {
    const values = [schedule, at, last ?? null];
    await (sends ? this.#run(TICK, [...values, now, sends.name, sends.key]) : this.#run(SQL.move, values));
  }

  async end(ended: readonly EndedRun[], now: number | null = null): Promise<void> {
    const done = ended.filter(({ end }) => end.kind === 'done');
    if (done.length > 0) await this.#run(SQL.doneTogether, [leasesValue(done)]);
    for (const run of ended)
      if (run.end.kind !== 'done')
        await this.#run(SQL[run.end.kind], [...leaseValues(run), ...endValues(run.end, now)]);
  }

  async hold(): Promise<void> {
    await holdJobs((sql, values) => this.read(sql, values));
  }

  async release(): Promise<void> {
    await releaseJobs((sql, values) => this.read(sql, values), await identityOf((sql) => this.#run(sql, [])));
  }
}
