import {
  type ClaimedJob,
  type ClaimRequest,
  type JobCounts,
  type JobDetails,
  type JobEntry,
  type JobLease,
  type JobState,
  type LastTick,
  LEASE_MS,
} from './jobs.ts';
import type { StoredValue } from './store.ts';
import { StoreError } from './store-error.ts';

export interface FoundJob extends JobLease {
  /** Made of tenant, name and key; null without a key. */
  readonly slot: string | null;
  /** Others of its key come first, or one of them runs; of new events, the first of each key come first. */
  readonly isHeldUp: boolean;
}

/** How a database finds and takes jobs; `now` is its own time if null. */
export interface JobFinder {
  /** The first jobs that are due, at least so many of them if there are. */
  find(names: readonly string[], most: FoundAtOnce, now: number | null): Promise<readonly FoundJob[]>;
  /** The first ones that nothing holds up, of other keys than these: it may read all that are due. */
  findFree(names: readonly string[], skipped: readonly string[], now: number | null): Promise<readonly FoundJob[]>;
  /** Those of these that are still free. */
  findAgain(names: readonly string[], leases: readonly JobLease[], now: number | null): Promise<readonly FoundJob[]>;
  findLost(names: readonly string[], limit: number, now: number | null): Promise<readonly JobLease[]>;
  /** Takes those that are still free. Throws `StoreError` `unique` if another of its key runs. */
  take(leases: readonly JobLease[], leaseMs: number, now: number | null): Promise<readonly ClaimedJob[]>;
}

export type StoredRow = readonly StoredValue[];

/** A job of `find`. */
export const foundJob = ([id, claims, slot, isHeldUp]: StoredRow): FoundJob => ({
  ...{ id: String(id), claims: Number(claims), slot: textOrNull(slot), isHeldUp: isTrue(isHeldUp) },
});

export const jobLease = ([id, claims]: StoredRow): JobLease => ({ id: String(id), claims: Number(claims) });

/** A job of `take`. */
export function claimedJob(row: StoredRow): ClaimedJob {
  const [id, claims, tenant, name, key, input, subject, requestId, attempt, depth, traceparent] = row;
  return {
    id: String(id),
    claims: Number(claims),
    tenant: String(tenant),
    name: String(name),
    key: textOrNull(key),
    input: String(input),
    subject: textOrNull(subject),
    requestId: String(requestId),
    attempt: Number(attempt),
    depth: Number(depth ?? 0),
    traceparent: textOrNull(traceparent),
  };
}

/** A row of `lastTicks`. */
export const lastTick = ([schedule, last, now]: StoredRow): LastTick => ({
  ...{ schedule: String(schedule), last: last == null ? undefined : Number(last), now: Number(now) },
});

/** A job of `list`, or the first part of one of `show`. */
export const jobEntry = ([id, name, key, state, attempt, runAt, error]: StoredRow): JobEntry => ({
  ...{ id: String(id), name: String(name), key: textOrNull(key), state: state as JobState },
  ...{ attempt: Number(attempt), runAt: Number(runAt), error: textOrNull(error) },
});

/** A job of `show`. */
export function jobDetails(row: StoredRow): JobDetails {
  const [tenant, subject, requestId, input] = row.slice(7);
  const given = { tenant: String(tenant), requestId: String(requestId), input: String(input) };
  return { ...jobEntry(row), ...given, subject: textOrNull(subject) };
}

/** The row of `counts`. */
export function jobCounts([row = []]: readonly StoredRow[]): JobCounts {
  const [waiting, running, dead, oldestMs, isHeld] = row;
  const counts = { waiting: Number(waiting), running: Number(running), dead: Number(dead) };
  return { ...counts, oldestMs: Math.max(0, Number(oldestMs)), isHeld: isTrue(isHeld) };
}

/** A condition of a row, as either database has it. */
export const isTrue = (value: StoredRow[number] | undefined): boolean => value === 1 || value === 't';

const textOrNull = (value: StoredRow[number] | undefined): string | null => (value == null ? null : String(value));

/** Why a job ends that no server has known for 14 days. */
export const UNKNOWN_JOB = 'No server has a job of this name.';

/** Jobs that are looked at together. */
export const WINDOW = 200;
/** The same at first: as a rule, none of these is held up. */
export const QUICK_WINDOW = 16;

type FoundAtOnce = typeof WINDOW | typeof QUICK_WINDOW;

/** After a search among all that is due, those of quick looks rest so many times as long as it took. */
const RESTS = 2;

/**
 * Takes jobs that are due. A job that has none of a key's, or is the first of its key, does not wait behind those of other keys.
 * What is taken begins though a later step fails: the next look meets the error again.
 */
export class JobClaims {
  readonly #finder: JobFinder;
  readonly #clock: () => number;
  /** What the last search among all that is due has found, and nobody has taken. */
  #left: readonly FoundJob[] = [];
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  /** `clock`: milliseconds that only rise. */
  constructor(finder: JobFinder, clock = (): number => performance.now()) {
    this.#finder = finder;
    this.#clock = clock;
  }

  claim(request: ClaimRequest, now: number | null): Promise<readonly ClaimedJob[]> {
    const { names, limit, isThorough } = request;
    const taken: ClaimedJob[] = [];
    return kept(taken, async () => {
      if (isThorough) {
        const lost = await this.#finder.findLost(names, limit, now);
        if (lost.length > 0) taken.push(...(await this.#finder.take(lost, LEASE_MS, now)));
      } else {
        const found = await this.#finder.find(names, QUICK_WINDOW, now);
        await this.#takeFirst(taken, found, limit, now);
        if (found.length < QUICK_WINDOW) return;
      }
      if (taken.length < limit) await this.#goOn(taken, request, now);
    });
  }

  /** Goes on behind a quick look that has taken these. */
  async goOn(first: readonly ClaimedJob[], request: ClaimRequest, now: number | null): Promise<readonly ClaimedJob[]> {
    if (first.length >= request.limit) return first;
    const taken = [...first];
    return kept(taken, () => this.#goOn(taken, request, now));
  }

  async #goOn(taken: ClaimedJob[], { names, limit, isThorough }: ClaimRequest, now: number | null): Promise<void> {
    const found = await this.#finder.find(names, WINDOW, now);
    await this.#takeFirst(taken, found, limit, now);
    if (taken.length >= limit || found.length < WINDOW) return;
    if (this.#left.length > 0) {
      this.#left = await this.#finder.findAgain(names, this.#left, now);
      await this.#takeLeft(taken, limit, now);
    }
    if (taken.length >= limit) return;
    // It may take long: what a quick look has taken does not wait for it.
    if (!isThorough && (taken.length > 0 || this.#clock() < this.#restsUntilMs)) return;
    const slots = new Set(found.flatMap(({ slot }) => slot ?? []));
    this.#left = await this.#findFree(names, [...slots], now);
    await this.#takeLeft(taken, limit, now);
  }

  async #takeLeft(taken: ClaimedJob[], limit: number, now: number | null): Promise<void> {
    await this.#takeFirst(taken, this.#left, limit, now);
    const begun = new Set(taken.map(({ id }) => id));
    this.#left = this.#left.filter(({ id, isHeldUp }) => !isHeldUp && !begun.has(id));
  }

  async #findFree(names: readonly string[], skipped: readonly string[], now: number | null) {
    const beganMs = this.#clock();
    try {
      return await this.#finder.findFree(names, skipped, now);
    } finally {
      const endedMs = this.#clock();
      this.#restsUntilMs = endedMs + RESTS * (endedMs - beganMs);
    }
  }

  async #takeFirst(taken: ClaimedJob[], found: readonly FoundJob[], limit: number, now: number | null): Promise<void> {
    const groups = firstGroups(found, limit - taken.length);
    const outcomes = await Promise.allSettled(groups.map((group) => this.#finder.take(group, LEASE_MS, now)));
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') taken.push(...outcome.value);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !isOfTakenKey(outcome.reason)) throw outcome.reason;
  }
}

async function kept(taken: readonly ClaimedJob[], work: () => Promise<void>): Promise<readonly ClaimedJob[]> {
  try {
    await work();
  } catch (error) {
    if (taken.length === 0) throw error;
  }
  return taken;
}

/** The first jobs that nothing holds up: those without a key together, each of a key by itself. */
function firstGroups(found: readonly FoundJob[], limit: number): readonly (readonly FoundJob[])[] {
  const firstOf = new Map<string, number>();
  for (const { id, slot } of found)
    if (slot !== null) firstOf.set(slot, Math.min(Number(id), firstOf.get(slot) ?? Number.POSITIVE_INFINITY));
  const free = found
    .filter(({ id, slot, isHeldUp }) => !isHeldUp && (slot === null || firstOf.get(slot) === Number(id)))
    .slice(0, limit);
  const keyless = free.filter(({ slot }) => slot === null);
  return [...(keyless.length > 0 ? [keyless] : []), ...free.filter(({ slot }) => slot !== null).map((job) => [job])];
}

/** Another of its key has been taken meanwhile. */
const isOfTakenKey = (error: unknown): boolean => error instanceof StoreError && error.failure.kind === 'unique';
