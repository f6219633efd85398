import {
  claimedJob,
  foundJob,
  isTrue,
  JobClaims,
  type JobFinder,
  jobCounts,
  jobDetails,
  jobEntry,
  jobLease,
  lastTick,
  type StoredRow,
  UNKNOWN_JOB,
  WINDOW,
} from '../claiming.ts';
import {
  type ClaimedJob,
  type ClaimRequest,
  type EndedRun,
  type JobCounts,
  type JobDetails,
  type JobEntry,
  type JobLease,
  type JobQueue,
  type LastTick,
  LEASE_MS,
  type Tick,
} from '../jobs.ts';
import type { StoredValue } from '../store.ts';
import type { JobStatements } from './job-statements.ts';

/** The values of a statement. */
export type JobValues = readonly StoredValue[];

type JobRows = readonly StoredRow[];

/** A lease as values, and several as one. */
export const leaseValues = ({ id, claims }: JobLease): readonly [number, number] => [Number(id), claims];
export const leasesValue = (all: readonly JobLease[]): string => JSON.stringify(all.map(leaseValues));

/** The jobs of a table, as far as the databases differ by their statements alone. */
export abstract class TableJobs implements JobQueue {
  readonly #sql: JobStatements;

  constructor(sql: JobStatements) {
    this.#sql = sql;
  }

  protected abstract read(sql: string, values: JobValues): Promise<JobRows>;
  /** The same for what may take long. */
  protected abstract readAside(sql: string, values: JobValues): Promise<JobRows>;
  /** The rows that a statement has written. */
  protected abstract write(sql: string, values: JobValues): Promise<JobRows>;
  /** How many these are. */
  protected abstract change(sql: string, values: JobValues): Promise<number>;

  abstract takeEvents(now?: number): Promise<boolean>;
  abstract tick(tick: Tick, now?: number): Promise<void>;
  abstract end(ended: readonly EndedRun[], now?: number): Promise<void>;
  abstract hold(): Promise<void>;
  abstract release(): Promise<void>;

  async claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]> {
    if (request.ended?.length) await this.end(request.ended, now);
    return this.claims.claim(request, now ?? null);
  }

  async lastTicks(schedules: readonly string[], now: number | null = null): Promise<readonly LastTick[]> {
    return (await this.read(this.#sql.lastTicks, [JSON.stringify(schedules), now])).map(lastTick);
  }

  async renew(all: readonly JobLease[], now: number | null = null): Promise<ReadonlySet<string>> {
    await this.change(this.#sql.renew, [now, LEASE_MS, leasesValue(all)]);
    const held = await this.read(this.#sql.held, [leasesValue(all)]);
    return new Set(held.map(([id]) => String(id)));
  }

  async list({ state, name }: Parameters<JobQueue['list']>[0]): Promise<readonly JobEntry[]> {
    return (await this.read(this.#sql.list, [state ?? null, name ?? null])).map(jobEntry);
  }

  async show(id: string): Promise<JobDetails | undefined> {
    return (await this.read(this.#sql.show, [Number(id)])).map(jobDetails)[0];
  }

  async repeat(id: string, now: number | null = null): Promise<boolean> {
    return (await this.change(this.#sql.repeat, [Number(id), now])) > 0;
  }

  async drop(id: string, now: number | null = null): Promise<boolean> {
    return (await this.change(this.#sql.drop, [Number(id), now])) > 0;
  }

  async counts(now: number | null = null): Promise<JobCounts> {
    return jobCounts(await this.readAside(this.#sql.counts, [now]));
  }

  async isHeld(): Promise<boolean> {
    return isTrue((await this.read(this.#sql.isHeld, []))[0]?.[0]);
  }

  async sweep(names: readonly string[], now: number | null = null): Promise<void> {
    await this.change(this.#sql.forget, [now]);
    await this.change(this.#sql.giveUp, [now, JSON.stringify(names), UNKNOWN_JOB]);
  }

  readonly #finder: JobFinder = {
    find: async (names, most, now) => {
      const { find, findQuickly } = this.#sql;
      return (await this.read(most === WINDOW ? find : findQuickly, [now, JSON.stringify(names)])).map(foundJob);
    },
    findAgain: async (names, leases, now) =>
      (await this.read(this.#sql.findAgain, [now, JSON.stringify(names), leasesValue(leases)])).map(foundJob),
    findFree: async (names, skipped, now) => {
      const values = [now, JSON.stringify(names), JSON.stringify(skipped)];
      return (await this.readAside(this.#sql.findFree, values)).map(foundJob);
    },
    findLost: async (names, limit, now) =>
      (await this.read(this.#sql.findLost, [now, JSON.stringify(names), limit])).map(jobLease),
    take: async (all, leaseMs, now) =>
      (await this.write(this.#sql.take, [now, leaseMs, leasesValue(all)])).map(claimedJob),
  };

  protected readonly claims = new JobClaims(this.#finder);
}
