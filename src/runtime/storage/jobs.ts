import type { MaybePromise } from '../async/maybe-promise.ts';

/** A job as it is sent. */
export interface NewJob {
  readonly name: string;
  /** Jobs of one tenant, name and key run one after the other; null: beside all others. */
  readonly key: string | null;
  /** Empty: of no tenant. */
  readonly tenant: string;
  /** JSON. */
  readonly input: string;
  /** Whose `updatedBy` its writes have; null for an anonymous sender. */
  readonly subject: string | null;
  /** The request that sent it. */
  readonly requestId: string;
  /** Not before, in milliseconds since 1970; undefined: at once, by the time of the queue. */
  readonly runAt: number | undefined;
}

/** One run of a job: whoever takes the job next has a higher number, and only the last may write for it. */
export interface JobLease {
  /** A whole number, in digits. */
  readonly id: string;
  readonly claims: number;
}

/** A job that this server has taken. */
export interface ClaimedJob extends JobLease, Omit<NewJob, 'runAt'> {
  /** From 1. */
  readonly attempt: number;
}

/** How a run ends. `back`: it does not count. */
export type JobEnd =
  | { readonly kind: 'done' | 'back' }
  | { readonly kind: 'again'; readonly delayMs: number; readonly error: string }
  | { readonly kind: 'dead'; readonly error: string };

/** Jobs within a transaction of rows. */
export interface JobWrites {
  /** `replaces`: jobs of the same tenant, name and key that have not begun are removed. `now`: the clock's time if it is not the database's. */
  send(job: NewJob, replaces: boolean, now: number | undefined): MaybePromise<void>;
  /** Whether a run may still write; no other server can take the job before the transaction ends. */
  hold(lease: JobLease): MaybePromise<boolean>;
  /** Removes the job: it is done if the transaction is committed. */
  complete(lease: JobLease): MaybePromise<void>;
}

export interface ClaimRequest {
  /** Those of the jobs that the server knows. */
  readonly names: readonly string[];
  readonly limit: number;
  /** Looks behind jobs that wait for others of their keys, however many there are. */
  readonly isThorough: boolean;
}

/** The jobs of a database. Times are those of the database unless `now` is given, in milliseconds since 1970. Throws `StoreError`. */
export interface JobQueue {
  /** Takes jobs that are due, by their times, then ids; of each key the first one alone. */
  claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]>;
  /** Renews leases; the ids of the jobs that are still this server's. */
  renew(leases: readonly JobLease[], now?: number): Promise<ReadonlySet<string>>;
  /** Does nothing if the job has passed to another. */
  end(lease: JobLease, end: JobEnd, now?: number): Promise<void>;
  /** Deletes jobs that have been dead for 14 days, and ends those that have been due for as long and have none of these names. */
  sweep(names: readonly string[], now?: number): Promise<void>;
}

/** A server that does not renew it has ended. */
export const LEASE_MS = 30_000;
