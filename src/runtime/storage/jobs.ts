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
  /** The span of that request (W3C Trace Context, `traceparent`), if traces are sent. */
  readonly traceparent?: string | null | undefined;
  /** How many events led to it. */
  readonly depth: number;
  /** Not before, in milliseconds since 1970; undefined: at once, by the time of the queue. */
  readonly runAt: number | undefined;
}

/** A change of a row that code handles after the commit. */
export interface NewEvent {
  /** Key of the resource. */
  readonly resource: string;
  readonly rowId: string;
  /** Empty: of no tenant. */
  readonly tenant: string;
  readonly kind: 'created' | 'updated' | 'deleted';
  /** JSON: a number, or a text where versions are hashes. */
  readonly version: string;
  /** JSON: the row after the change, or before its deletion, by the names of its properties. */
  readonly row: string;
  /** JSON: the properties that an update has changed, as they were; null otherwise. */
  readonly before: string | null;
  /** Who changed it; null for an anonymous caller. */
  readonly actor: string | null;
  /** How many events led to this one, itself included. */
  readonly depth: number;
  readonly requestId: string;
  /** As of `NewJob`. */
  readonly traceparent?: string | null | undefined;
  /** The clock's time, in milliseconds since 1970, if it is not the database's. */
  readonly now?: number | undefined;
}

/** Nothing is written: the database changes a row as it is written, so that the event sent along with it is not the row's. */
export class RowAltered extends Error {}

/** The name of the jobs that handle the events of a resource. */
export const eventJobName = (resource: string): string => `on:${resource}`;

export const isEventName = (name: string): boolean => name.startsWith(eventJobName(''));

/** By which a server claims the jobs of one kind of event. */
export const eventName = (resource: string, kind: NewEvent['kind']): string => `${eventJobName(resource)} ${kind}`;

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

/** A run that has ended. */
export interface EndedRun extends JobLease {
  readonly end: JobEnd;
}

/** Jobs within a transaction of rows. */
export interface JobWrites {
  /** `replaces`: jobs of the same tenant, name and key that have not begun are removed. `now`: the clock's time if it is not the database's. */
  send(job: NewJob, replaces: boolean, now: number | undefined): MaybePromise<void>;
  /** Writes events, from which jobs are made after the commit, or at once. They may be asked for as late as the commit. */
  emit(events: () => readonly NewEvent[]): MaybePromise<void>;
  /** Whether a run may still write; no other server can take the job before the transaction ends. */
  hold(lease: JobLease): MaybePromise<boolean>;
  /** Removes the job: it is done if the transaction is committed. */
  complete(lease: JobLease): MaybePromise<void>;
}

/** The last time at which a schedule was due, and the time. Milliseconds since 1970. */
export interface LastTick {
  readonly schedule: string;
  readonly last: number | undefined;
  readonly now: number;
}

/** A time at which a schedule is due, or begins. */
export interface Tick extends Omit<LastTick, 'now'> {
  readonly at: number;
  /** The job, with an empty input. */
  readonly sends: { readonly name: string; readonly key: string } | undefined;
}

export interface ClaimRequest {
  /** What has ended before: it is written first, and holds up nothing. */
  readonly ended?: readonly EndedRun[];
  /** Those of the jobs, and of the kinds of events, that the server knows. */
  readonly names: readonly string[];
  readonly limit: number;
  /** Looks for jobs whose servers have ended, and always behind all that wait for others of their keys; others now and then. */
  readonly isThorough: boolean;
}

export type JobState = 'waiting' | 'running' | 'dead' | 'held';

/** A job as people see it. Times are milliseconds since 1970. */
export interface JobEntry {
  readonly id: string;
  readonly name: string;
  readonly key: string | null;
  readonly state: JobState;
  /** How often it has begun. */
  readonly attempt: number;
  readonly runAt: number;
  /** Why the last attempt has failed. */
  readonly error: string | null;
}

/** The same with what it gets, which may be personal data. */
export interface JobDetails extends JobEntry, Pick<NewJob, 'tenant' | 'subject' | 'requestId' | 'input'> {}

/** How many jobs there are; events that are not jobs yet wait, too. */
export interface JobCounts {
  /** Those that wait are held. */
  readonly isHeld: boolean;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** For how long the first one has been due; 0 if none is. */
  readonly oldestMs: number;
}

/** The jobs of a database. Times are those of the database unless `now` is given, in milliseconds since 1970. Throws `StoreError`. */
export interface JobQueue {
  /** Keys of resources whose rows are not written by this server, because they are views of others. */
  readonly views?: ReadonlySet<string>;
  /** Takes jobs that are due, by their times, then ids; of each key the first one alone. */
  claim(request: ClaimRequest, now?: number): Promise<readonly ClaimedJob[]>;
  /** Makes jobs of the first events that have been committed, of each row in their order; whether more may wait. One server at a time. */
  takeEvents(now?: number): Promise<boolean>;
  lastTicks(schedules: readonly string[], now?: number): Promise<readonly LastTick[]>;
  /**
   * Moves a schedule on from its last tick and sends its job, unless another of its name and key has not ended. Does nothing if
   * another server has moved the schedule.
   */
  tick(tick: Tick, now?: number): Promise<void>;
  /** Renews leases; the ids of the jobs that are still this server's. */
  renew(leases: readonly JobLease[], now?: number): Promise<ReadonlySet<string>>;
  /** Does nothing for jobs that have passed to others. */
  end(ended: readonly EndedRun[], now?: number): Promise<void>;
  /** The first 1,000 jobs, by id. */
  list(wanted: {
    readonly state?: JobState | undefined;
    readonly name?: string | undefined;
  }): Promise<readonly JobEntry[]>;
  show(id: string): Promise<JobDetails | undefined>;
  /** Makes a job that waits or is dead, or whose server has ended, due at once, with all of its attempts; false without it. */
  repeat(id: string, now?: number): Promise<boolean>;
  /** Removes a job that waits or is dead, or whose server has ended; false if it does not exist. */
  drop(id: string, now?: number): Promise<boolean>;
  counts(now?: number): Promise<JobCounts>;
  isHeld(): Promise<boolean>;
  /** Keeps all servers from running jobs, which are sent all the same, until they are released. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /**
   * Deletes jobs that have been dead for 14 days, and ends those that have none of these names and have been due, or without a
   * server, for as long.
   */
  sweep(names: readonly string[], now?: number): Promise<void>;
}

/** Events that are made jobs together. */
export const EVENTS_AT_ONCE = 1_000;

/** An event that so many others led to is dead. */
export const MAX_DEPTH = 16;
export const TOO_DEEP = `${MAX_DEPTH} events led to this one: handlers cause each other's events without an end.`;

/** A server that does not renew it has ended. */
export const LEASE_MS = 30_000;

/** The input of the job of an event. */
export const eventInput = ({ kind, version, row, before, actor }: Omit<NewEvent, 'resource' | 'rowId'>): string =>
  `{"kind":"${kind}","version":${version},"row":${row},"before":${before},"actor":${JSON.stringify(actor)}}`;
