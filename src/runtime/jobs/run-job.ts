import { setImmediate as nextTurn } from 'node:timers/promises';
import { reasonOf } from '../../descriptor/config-error.ts';
import type { Log } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import { type JobCall, type JobScope, NotCounted } from '../engine/interface/job-scope.ts';
import type { AnyJob, JobContext } from '../engine/interface/jobs.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';
import type { ClaimedJob, JobEnd } from '../storage/jobs.ts';
import { backoffMs } from './backoff.ts';

const ATTEMPTS = 10;
const TIMEOUT_MS = 60_000;
const MAX_ERROR_LENGTH = 1_000;
/** A year. */
const MAX_DELAY_MS = 365 * 24 * 3_600_000;

/** Thrown by a job to say when it is tried again. */
class RetryAfter extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    if (!(delayMs >= 0 && delayMs <= MAX_DELAY_MS))
      throw new RangeError(`retryAfter(${delayMs}): write a number of milliseconds from 0 to ${MAX_DELAY_MS}.`);
    super(`tried again after ${delayMs} ms`);
    this.delayMs = Math.round(delayMs);
  }
}

/** Thrown by a job to say that it is not tried again. */
class GivenUp extends Error {}

type Context = JobContext<AnyResources>;

export interface RunParts {
  readonly engine: Pick<Engine, 'jobScope'>;
  readonly log: Log;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What the code of one run works with. */
export interface RunScope extends Omit<JobCall, 'job'> {
  readonly scope: JobScope;
}

/** How a run has ended, and with which error. */
export interface Outcome {
  readonly end: JobEnd;
  readonly error?: unknown;
}

/** Runs a job once, until it ends, its time is over or it is ended. */
export async function runJob(job: AnyJob, claimed: ClaimedJob, within: RunScope, parts: RunParts): Promise<Outcome> {
  const { attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS } = job;
  const { attempt } = claimed;
  const { ending, log, scope } = within;
  if (attempt > attempts) return dead(new Error(`Its server has ended during attempt ${attempt - 1}, the last one.`));
  const timeout = setTimeout(() => ending.abort(new Error(`It has not ended within ${timeoutMs} ms.`)), timeoutMs);
  let isRunning = true;
  const run = called(job, claimed, within, parts.now()).finally(() => {
    isRunning = false;
  });
  try {
    await ending.until(run);
    return { end: { kind: 'done' } };
  } catch (thrown) {
    const error = printable(thrown);
    if (scope.isCompleted()) return { end: { kind: 'done' }, error };
    return error instanceof NotCounted ? { end: { kind: 'back' }, error } : failed(error, attempt, attempts, parts);
  } finally {
    clearTimeout(timeout);
    if (ending.isOver) await nextTurn();
    if (isRunning) log.warn({ why: reasonOf(ending.reason) }, 'a job goes on though its run has ended');
  }
}

async function called(
  job: AnyJob,
  { id, attempt, input: text }: ClaimedJob,
  { scope, log, ending }: RunScope,
  now: Date,
): Promise<void> {
  const context: Context = {
    id,
    attempt,
    now,
    log,
    retryAfter,
    giveUp,
    transaction: scope.transaction,
    store: scope.store,
    signal: ending.signal,
  };
  const input: unknown = JSON.parse(text);
  await job.run(job.parse ? job.parse(input) : input, context);
}

const retryAfter = (ms: number): Error => new RetryAfter(ms);
const giveUp = (why: string): Error => new GivenUp(why);

/** A log whose lines name a run. */
export function logOf(log: Log, { name: job, id: jobId, requestId }: ClaimedJob): Log {
  const added = { job, jobId, requestId };
  return {
    info: (fields, message) => log.info({ ...added, ...fields }, message),
    warn: (fields, message) => log.warn({ ...added, ...fields }, message),
    error: (fields, message) => log.error({ ...added, ...fields }, message),
  };
}

/** What code has thrown, or an error instead of a value that has no text. */
function printable(thrown: unknown): unknown {
  try {
    String(thrown);
    return thrown;
  } catch {
    return new Error('The code has thrown a value that has no text.');
  }
}

function failed(error: unknown, attempt: number, attempts: number, { random }: RunParts): Outcome {
  if (error instanceof GivenUp || attempt >= attempts) return dead(error);
  const delayMs = error instanceof RetryAfter ? error.delayMs : backoffMs(attempt, random());
  return { end: { kind: 'again', delayMs, error: textOf(error) }, error };
}

const dead = (error: unknown): Outcome => ({ end: { kind: 'dead', error: textOf(error) }, error });

/** As a database keeps it. */
const textOf = (error: unknown): string => String(error).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '').toWellFormed();
