import { Cron } from 'croner';
import { reasonOf } from '../../descriptor/config-error.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { AnyJob, Schedule } from '../engine/interface/jobs.ts';
import { keyOf } from '../engine/transaction/sending.ts';
import type { JobQueue } from '../storage/jobs.ts';

/** A tick that no server has seen for so long is missed. */
const LATE_MS = 60_000;
/** Five fields or a nickname: the years of a sixth would come to an end, and no server looks twice a second. */
const PATTERN = /^\s*(@[a-z]+|\S+(\s+\S+){4})\s*$/i;

/** Schedules by their names. */
export type Schedules = Readonly<Record<string, Schedule>>;

const cronOf = (cron: string, timeZone = 'UTC'): Cron => new Cron(cron, { timezone: timeZone, mode: '5-part' });

/** Why a value is not a pattern of times. */
export function cronFault(cron: unknown): string | undefined {
  if (typeof cron !== 'string' || !PATTERN.test(cron)) return 'is not five fields, such as `0 3 * * *`';
  try {
    return cronOf(cron).nextRun() ? undefined : 'never comes';
  } catch (error) {
    return `is not a pattern of times: ${reasonOf(error)}`;
  }
}

/** The key of the job that a schedule sends. Throws for a job that does not take an empty input. */
export const scheduledKey = (job: AnyJob): string | null =>
  keyOf(job, '{}', (why) => {
    throw new Error(why);
  });

/** Sends the jobs of schedules, one for each tick over all servers of a database. */
export class ScheduleTicks {
  readonly #schedules: ReadonlyMap<string, Schedule & { readonly times: Cron }>;
  readonly #queue: JobQueue;
  /** When schedules begin that the database does not know; undefined: at their first look. */
  readonly #since: number | undefined;

  constructor(schedules: Schedules, queue: JobQueue, since: number | undefined) {
    const all = Object.entries(schedules);
    this.#schedules = new Map(all.map(([name, one]) => [name, { ...one, times: cronOf(one.cron, one.timeZone) }]));
    this.#queue = queue;
    this.#since = since;
  }

  /** Sends a job for the last tick that has come; `clock`: the time, if it is not the database's. */
  async look(clock: number | undefined): Promise<void> {
    if (this.#schedules.size === 0) return;
    for (const { schedule, last, now } of await this.#queue.lastTicks([...this.#schedules.keys()], clock)) {
      const { times, job, missed } = lookUp(this.#schedules, schedule);
      const from = last ?? this.#since ?? now;
      const at = times.previousRuns(1, new Date(now + 1))[0]?.getTime() ?? from;
      if (at <= from && last !== undefined) continue;
      const isSent = at > from && (missed !== 'skip' || now - at < LATE_MS);
      const sends = isSent ? { name: job.name, key: scheduledKey(job) ?? schedule } : undefined;
      await this.#queue.tick({ schedule, last, at: Math.max(at, from), sends }, clock);
    }
  }
}
