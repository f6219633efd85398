import type { Log } from './call.ts';
import type { Tables } from './tables.ts';

/**
 * Work that runs after the commit of the transaction that sends it. `job` in `generated/handlers.ts` makes it.
 * @example
 * import type { Job } from 'lockstep';
 *
 * const nameOf = (job: Job<{ readonly orderId: string }>): string => job.name;
 */
export interface Job<Input> {
  /** Unique among the jobs of a server. */
  readonly name: string;
  /** Jobs of a tenant with the same name and key run one after the other, by their ids; without a key, side by side. */
  key?(input: Input): string | undefined;
  /** How often it is tried; 10 if left out. */
  readonly attempts?: number | undefined;
  /** When an attempt has failed; 60,000 if left out. */
  readonly timeoutMs?: number | undefined;
  /** Throws for what is not an input. What it returns is what `key` and `run` get. */
  readonly parse?: ((input: unknown) => unknown) | undefined;
  run(input: Input, context: unknown): unknown;
}

/** A job of any input. */
export type AnyJob = Job<unknown>;

/**
 * The options of a job: everything but its name.
 * @example
 * import type { JobDefinition } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const counting: JobDefinition<object, Resources> = {
 *   async run(_input, { store, log }) {
 *     log.info({ products: await store.products.count() }, 'counted');
 *   },
 * };
 */
export interface JobDefinition<Input, R> {
  readonly key?: (input: Input) => string | undefined;
  readonly attempts?: number;
  readonly timeoutMs?: number;
  readonly parse?: (input: unknown) => Input;
  run(input: Input, context: JobContext<R>): unknown;
}

/**
 * Makes a job of a contract with the resources `R`.
 * @example
 * import { job, type Resources } from '../../generated/handlers.ts';
 * import type { DefineJob } from 'lockstep';
 *
 * const define: DefineJob<Resources> = job;
 */
export type DefineJob<R> = <Input = Record<string, never>>(
  name: string,
  definition: JobDefinition<Input, R>,
) => Job<Input>;

/**
 * When a job that is sent runs, and for whom.
 * @example
 * import type { SendOptions } from 'lockstep';
 *
 * const tomorrow = (now: Date): SendOptions => ({ at: new Date(now.getTime() + 24 * 3_600_000), replace: true });
 */
export interface SendOptions {
  /** Not before; at once if left out. */
  readonly at?: Date;
  /** Removes jobs of the same tenant, name and key that have not begun. */
  readonly replace?: boolean;
  /** The tenant that the job is of; that of the sender's `store` if left out. */
  readonly tenant?: string | number;
}

/**
 * Times at which a job is sent: once for all servers, and not while the one before has not ended.
 * @example
 * import type { Job, Schedule } from 'lockstep';
 *
 * const nightly = (job: Job<Record<string, never>>): Schedule => ({ cron: '0 3 * * *', timeZone: 'Europe/Berlin', job });
 */
export interface Schedule {
  /** Minute, hour, day of the month, month and day of the week: `0 3 * * *`, or a name such as `@daily`. */
  readonly cron: string;
  /** IANA name; UTC if left out. */
  readonly timeZone?: string;
  /** It gets `{}`. */
  readonly job: Job<Record<string, never>>;
  /** Of times at which no server ran, and a minute later, the last one counts (`once`), or none; `once` if left out. */
  readonly missed?: 'once' | 'skip';
}

/** What the contexts of hand-written code have to send jobs by. */
export interface Sending {
  /**
   * Sends a job with the transaction: it runs once that is committed. Throws for an input that is not JSON or has more than
   * 64 KiB, for the 1,001st of a transaction, for a job that `handlers.jobs` lacks, and where nothing is written.
   */
  send<Input>(job: Job<Input>, input: NoInfer<Input>, options?: SendOptions): Promise<void>;
}

/**
 * The context of a job. No transaction is open while it runs.
 * @example
 * import type { JobContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const emailOf = async ({ store, giveUp }: JobContext<Resources>, userId: string): Promise<string> => {
 *   const user = await store.users.get(userId);
 *   if (!user) throw giveUp('the user is gone');
 *   return user.email;
 * };
 */
export interface JobContext<R> {
  /** The same on every attempt: give it to others as the key that keeps them from doing it twice. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  readonly now: Date;
  /** All resources of the job's tenant, as they are; it refuses writes. */
  readonly store: Tables<R>;
  /**
   * Runs work in a transaction that is committed unless it throws; perhaps more than once. Throws if the job has passed to
   * another server. `completes`: the job is done with it, so that its writes happen once.
   */
  transaction<T>(
    work: (context: JobTransaction<R>) => Promise<T>,
    options?: { readonly completes?: boolean },
  ): Promise<T>;
  /** Aborted when the time is over, the server stops, or the job has passed to another. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** `throw retryAfter(ms)`: it has failed, and is tried again then unless that was the last attempt. */
  retryAfter(ms: number): Error;
  /** `throw giveUp(why)`: it is dead, and not tried again. */
  giveUp(why: string): Error;
}

/**
 * The context of a job's transaction.
 * @example
 * import type { JobTransaction } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const sell = ({ store }: JobTransaction<Resources>, id: string): Promise<unknown> =>
 *   store.products.update(id, { unitsSold: '1' });
 */
export interface JobTransaction<R> extends Sending {
  readonly store: Tables<R>;
  readonly now: Date;
}
