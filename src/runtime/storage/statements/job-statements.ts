import { QUICK_WINDOW, WINDOW } from '../claiming.ts';
import { eventJobName, type JobEnd, MAX_DEPTH } from '../jobs.ts';
import { IS_FRESH, NOT_FRESH } from '../migration/own-tables.ts';
import { ARE_HELD } from '../migration/records.ts';

/** How a database writes the parts in which the statements on jobs differ. */
export interface JobDialect {
  /** The placeholder of a value, from 1, and its type. */
  value(position: number, type: 'integer' | 'text'): string;
  /** The time, in milliseconds since 1970: the value at this position unless it is null. */
  now(position: number): string;
  /** The texts of a JSON array. */
  texts(position: number): string;
  /** Rows of an `id` and `claims`, of a JSON array of arrays. */
  pairs(position: number): string;
  /** Behind `in`: what a statement selects once. */
  once(select: string): string;
  /** The JSON of a text; not of null. */
  json(text: string): string;
  /** Behind a `select` of rows that are changed. */
  readonly locks: string;
  readonly skipsLocked: string;
}

const KEPT_MS = 14 * 24 * 3_600_000;
const SWEPT = 500;
/** The oldest are the first, with their ids: of all that wait, this many are looked at in a minute. */
const FRESH_LOOKED_AT = 5_000;

export type JobStatements = ReturnType<typeof jobStatements>;

/** All statements on the table of jobs. Leases are those with both the id and the number of claims. */
export function jobStatements({ value, now, texts, pairs, once, json, locks, skipsLocked }: JobDialect) {
  const integer = (position: number) => value(position, 'integer');
  const text = (position: number) => value(position, 'text');
  const leased = `id = ${integer(1)} and claims = ${integer(2)} and leased_until is not null`;
  const isFree = (at: string) =>
    `dead_at is null and (leased_until is null and (run_at <= ${at} or ${IS_FRESH}) or leased_until <= ${at})`;
  /** It does not run, or its server has ended. */
  const isIdle = (at: string) => `(leased_until is null or leased_until <= ${at})`;
  const sameKey = `o.tenant = j.tenant and o.name = j.name and o.key = j.key and o.dead_at is null and ${NOT_FRESH}`;
  /** By which servers know it. */
  const known = "coalesce(name || ' ' || kind, name)";
  const isFor = (names: string) => `not ${ARE_HELD} and ${known} in (${names})`;
  const waits = `leased_until is null and dead_at is null and ${NOT_FRESH}`;
  const isDue = (names: string) => `${waits} and run_at <= ${now(1)} and ${isFor(names)}`;
  const isFresh = (names: string) => `${IS_FRESH} and ${isFor(names)}`;
  /** So many as a constant: a plan for any number would be made anew for each. */
  const sought = 'id, claims, tenant, name, key, run_at';
  const firstDue = (names: string, most: number) =>
    `select ${sought} from lockstep_job where ${isDue(names)} order by run_at, id limit ${most}`;
  const firstFresh = (names: string, most: number) =>
    `select ${sought} from lockstep_job where ${isFresh(names)} order by id limit ${most}`;
  /** By what was taken of its key, as far as it has a key: new events of one are found in their order. */
  const isHeldUp = `j.key is not null and (
    exists (select 1 from lockstep_job o where ${sameKey} and o.leased_until is not null) or
    exists (select 1 from lockstep_job o where ${sameKey} and o.id < j.id and (o.attempt > 0 or o.run_at <= ${now(1)})))`;
  /** Jobs with the same one run one after the other. */
  const slot = "length(j.tenant) || ' ' || j.tenant || j.name || ' ' || j.key";
  /** By the ids at first: otherwise all jobs are looked through. */
  const areLeased = (position: number) =>
    `id ${once(`select l.id from (${pairs(position)}) l`)} and (id, claims) in (${pairs(position)})`;
  const find = (among: string) => `select ${found}, ${isHeldUp} from (${among}) j order by j.run_at, j.id`;
  const findFirst = (most: number) =>
    find(`
      select * from (${firstDue(texts(2), most)}) as due
      union all select * from (${firstFresh(texts(2), most)}) as fresh`);
  const found = `j.id, j.claims, ${slot}`;
  const columns = 'id, claims, tenant, name, key, input, subject, request_id, attempt, depth, traceparent';
  const taking = (ids: string) => `
    update lockstep_job set leased_until = ${now(1)} + ${integer(2)}, attempt = attempt + 1, claims = claims + 1
    where id ${once(ids)} returning ${columns}`;
  const state = `case when dead_at is not null then 'dead' when leased_until is not null then 'running'
    when ${ARE_HELD} then 'held' else 'waiting' end`;
  const count = (where: string) => `(select count(*) from lockstep_job where ${where})`;
  const longAgo = `${now(1)} - ${KEPT_MS}`;
  /** Values: now, names. */
  const unknown = (where: string, order: string) => `
    select id from lockstep_job
    where ${where} and run_at <= ${longAgo} and ${known} not in (${texts(2)})
    order by ${order} limit ${SWEPT}${skipsLocked}`;
  const entry = `id, name, key, ${state}, attempt, run_at, error`;
  return {
    /** Values: tenant, name, key, input, subject, request, time to run, now, depth, traceparent. */
    send: `
      insert into lockstep_job (tenant, name, key, input, subject, request_id, run_at, attempt, claims, depth, traceparent)
      values (${[1, 2, 3, 4, 5, 6].map(text).join(', ')}, coalesce(${integer(7)}, ${now(8)}), 0, 0, ${integer(9)}, ${text(10)})`,
    /** Values: tenant, name, key. */
    replace: `
      delete from lockstep_job where tenant = ${text(1)} and name = ${text(2)} and key = ${text(3)}
        and kind is null and dead_at is null and leased_until is null and claims = 0`,
    /** Makes jobs of events. Values: now, why some are dead. */
    ofEvents: (from: string) => `
      insert into lockstep_job
        (tenant, name, key, kind, input, subject, request_id, traceparent, depth, attempt, claims, run_at, error, dead_at)
      select tenant, '${eventJobName('')}' || resource, row_id, kind,
        '{"kind":"' || kind || '","version":' || version || ',"row":' || row || ',"before":' || coalesce(before, 'null') ||
        ',"actor":' || coalesce(${json('actor')}, 'null') || '}',
        actor, request_id, traceparent, depth, 0, 0, ${now(1)},
        case when depth > ${MAX_DEPTH} then ${text(2)} end, case when depth > ${MAX_DEPTH} then ${now(1)} end
      from ${from} order by id`,
    hold: `select 1 from lockstep_job where ${leased}${locks}`,
    /** The first jobs that are due, each with its tenant, name and key, and whether others of these hold it up. Values: now, names. */
    find: findFirst(WINDOW),
    findQuickly: findFirst(QUICK_WINDOW),
    /** The same of what was found before and is still free. Values: now, names, leases. */
    findAgain: find(`
      select ${sought} from lockstep_job where ${areLeased(3)} and ${isFree(now(1))} and ${isFor(texts(2))}`),
    /** The first that nothing holds up, of new events the first of each key. Values: now, names, keys that are left out. */
    findFree: `
      select ${found}, 0 from (
        select * from (
          select * from lockstep_job j
          where ${isDue(texts(2))} and (j.key is null or ${slot} not in (${texts(3)})) and not (${isHeldUp})
          order by run_at, id limit ${WINDOW}) as due
        union all
        select * from lockstep_job where id ${once(`
          select min(id) from lockstep_job j
          where ${isFresh(texts(2))} and ${slot} not in (${texts(3)}) and not (${isHeldUp})
          group by tenant, name, key order by min(id) limit ${WINDOW}`)}) j
      order by j.run_at, j.id`,
    /** Jobs whose servers have ended. Values: now, names, how many. */
    findLost: `
      select id, claims from lockstep_job where leased_until <= ${now(1)} and not ${ARE_HELD} and ${known} in (${texts(2)})
      order by leased_until limit ${integer(3)}`,
    /** Values: now, for how long, leases. */
    take: taking(`select id from lockstep_job where ${areLeased(3)} and ${isFree(now(1))}${skipsLocked}`),
    /**
     * The first of each key of those that are due, and that nothing holds up, so many as a constant, as in `find`, and with a
     * placeholder for each name; `areSent`: no name is of events, of which new ones hold up none. Values: now, for how long, names.
     */
    takeFree: (most: number, count: number, areSent: boolean) => {
      const names = Array.from({ length: count }, (_, i) => text(i + 3)).join(', ');
      const due = firstDue(names, QUICK_WINDOW);
      const fresh = firstFresh(names, QUICK_WINDOW);
      return taking(
        areSent
          ? `select j.id from (${due}) j where not (${isHeldUp}) limit ${most}`
          : `select min(j.id) from (select * from (${due}) as due union all select * from (${fresh}) as fresh) j
             where not (${isHeldUp}) group by tenant, name, key, case when key is null then id end
             order by min(run_at), min(id) limit ${most}`,
      );
    },
    /** Values: schedules, now. */
    lastTicks: `
      with named (schedule) as (${texts(1)}) select schedule, tick, ${now(2)}
      from named left join lockstep_schedule on name = schedule`,
    /** Values: schedule, tick, last tick. */
    move: `
      insert into lockstep_schedule (name, tick) values (${text(1)}, ${integer(2)})
      on conflict (name) do update set tick = excluded.tick where lockstep_schedule.tick = ${integer(3)} returning 1`,
    /** Values: schedule, two others, now, name, key. */
    scheduled: (moved: string) => `
      insert into lockstep_job (tenant, name, key, input, request_id, run_at, attempt, claims, depth)
      select '', ${text(5)}, ${text(6)}, '{}', 'schedule ' || ${text(1)}, ${now(4)}, 0, 0, 0 ${moved}
      where not exists (
        select 1 from lockstep_job
        where tenant = '' and name = ${text(5)} and key = ${text(6)} and kind is null and dead_at is null)`,
    /** Values: id, claims. */
    done: `delete from lockstep_job where ${leased}`,
    /** Values: leases. */
    doneTogether: `delete from lockstep_job where ${areLeased(1)} and leased_until is not null`,
    back: `update lockstep_job set leased_until = null, attempt = attempt - 1 where ${leased}`,
    /** Values: id, claims, why, now, when. */
    again: `
      update lockstep_job set leased_until = null, error = ${text(3)}, run_at = ${now(4)} + ${integer(5)} where ${leased}`,
    /** Values: id, claims, why, now. */
    dead: `update lockstep_job set leased_until = null, error = ${text(3)}, dead_at = ${now(4)} where ${leased}`,
    /** Values: now, for how long, leases. What is locked is being written by a run, or taken by another server. */
    renew: `
      update lockstep_job set leased_until = ${now(1)} + ${integer(2)} where id ${once(
        `select id from lockstep_job where ${areLeased(3)} and leased_until is not null${skipsLocked}`,
      )}`,
    /** Values: leases. */
    held: `select id from lockstep_job where ${areLeased(1)} and leased_until is not null`,
    /** Values: now. */
    isHeld: `select ${ARE_HELD}`,
    counts: `
      select ${count(waits)} + ${count(IS_FRESH)} + (select count(*) from lockstep_outbox), ${count('leased_until is not null')},
        ${count('dead_at is not null')},
        coalesce(${now(1)} - (select min(run_at) from (
          select min(run_at) as run_at from lockstep_job where ${waits}
          union all select run_at from (select run_at from lockstep_job where ${IS_FRESH} order by id limit 1) as fresh) as oldest), 0),
        ${ARE_HELD}`,
    /** Values: state, name; null: any. */
    list: `
      select ${entry} from lockstep_job
      where (${text(1)} is null or ${state} = ${text(1)}) and (${text(2)} is null or name = ${text(2)})
      order by id limit 1000`,
    /** Values: id. */
    show: `select ${entry}, tenant, subject, request_id, input from lockstep_job where id = ${integer(1)}`,
    /** Values: id, now. */
    repeat: `
      update lockstep_job set dead_at = null, leased_until = null, attempt = 0, run_at = ${now(2)}
      where id = ${integer(1)} and ${isIdle(now(2))}`,
    /** Values: id, now. */
    drop: `delete from lockstep_job where id = ${integer(1)} and ${isIdle(now(2))}`,
    /** Values: now. */
    forget: `
      delete from lockstep_job where id ${once(
        `select id from lockstep_job where dead_at <= ${longAgo} order by dead_at limit ${SWEPT}${skipsLocked}`,
      )}`,
    /** Values: now, names, why. */
    giveUp: `
      update lockstep_job set dead_at = ${now(1)}, leased_until = null, error = ${text(3)}
      where id ${once(unknown(waits, 'run_at, id'))} or id ${once(
        unknown(`leased_until <= ${longAgo}`, 'leased_until'),
      )} or id ${once(
        unknown(
          `${IS_FRESH} and id ${once(`select id from lockstep_job where ${IS_FRESH} order by id limit ${FRESH_LOOKED_AT}`)}`,
          'id',
        ),
      )}`,
  };
}

/** Behind the lease, the values of the statement that ends a run so. */
export const endValues = (end: JobEnd, now: number | null): readonly (string | number | null)[] => [
  ...('error' in end ? [end.error, now] : []),
  ...('delayMs' in end ? [end.delayMs] : []),
];
