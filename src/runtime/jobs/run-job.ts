import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { AnyJob, JobContext } from '../engine/interface/jobs.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';
import type { ClaimedJob, JobEnd } from '../storage/jobs.ts';
import { backoffMs } from './backoff.ts';

const ATTEMPTS = 10;
const TIMEOUT_MS = 60_000;
const MAX_ERROR_LENGTH = 1_000;

/** Thrown by a job to say when it is tried again. */
class RetryAfter extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    if (!(delayMs >= 0)) throw new RangeError(`retryAfter(${delayMs}): write a number of milliseconds from 0.`);
    super(`tried again after ${delayMs} ms`);
    this.delayMs = Math.round(delayMs);
  }
}

/** Thrown by a job to say that it is not tried again. */
class GivenUp extends Error {}

export interface RunParts {
  readonly engine: Pick<Engine, 'jobScope'>;
  readonly log: Log;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** How a run has ended, and with which error. */
export interface Outcome {
  readonly end: JobEnd;
  readonly error?: unknown;
}

/** Runs a job once, until it ends, its time is over or `ending` is aborted. */
export async function runJob(
  job: AnyJob,
  claimed: ClaimedJob,
  ending: AbortController,
  parts: RunParts,
): Promise<Outcome> {
  const { attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS } = job;
  const { id, attempt } = claimed;
  if (attempt > attempts) return dead(new Error(`Its server has ended during attempt ${attempt - 1}, the last one.`));
  const timeout = setTimeout(() => ending.abort(new Error(`It has not ended within ${timeoutMs} ms.`)), timeoutMs);
  let isRunning = true;
  const run = called(job, claimed, ending.signal, parts).finally(() => {
    isRunning = false;
  });
  try {
    await endOf(run, ending.signal);
    return { end: { kind: 'done' } };
  } catch (error) {
    return failed(error, attempt, attempts, parts);
  } finally {
    clearTimeout(timeout);
    await nextTurn();
    if (isRunning)
      parts.log.warn({ job: job.name, id }, 'a job goes on though its time is over: it writes nothing more');
  }
}

async function called(
  job: AnyJob,
  claimed: ClaimedJob,
  signal: AbortSignal,
  { engine, log, now }: RunParts,
): Promise<void> {
  const { id, attempt } = claimed;
  const own = logOf(log, { job: job.name, jobId: id, requestId: claimed.requestId });
  const { store, transaction } = engine.jobScope({ job: claimed, log: own });
  const context: JobContext<AnyResources> = {
    ...{ id, attempt, now: now(), store, transaction, signal, log: own },
    retryAfter: (ms) => new RetryAfter(ms),
    giveUp: (why) => new GivenUp(why),
  };
  const input: unknown = JSON.parse(claimed.input);
  await job.run(job.parse ? job.parse(input) : input, context);
}

/** A log whose lines have further fields. */
const logOf = (log: Log, added: object): Log => ({
  info: (fields, message) => log.info({ ...added, ...fields }, message),
  warn: (fields, message) => log.warn({ ...added, ...fields }, message),
  error: (fields, message) => log.error({ ...added, ...fields }, message),
});

/** Rejects when the signal is aborted, whatever the run does then. */
function endOf(run: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    run.then(resolve, reject);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function failed(error: unknown, attempt: number, attempts: number, { random }: RunParts): Outcome {
  if (error instanceof GivenUp || attempt >= attempts) return dead(error);
  const delayMs = error instanceof RetryAfter ? error.delayMs : backoffMs(attempt, random());
  return { end: { kind: 'again', delayMs, error: textOf(error) }, error };
}

const dead = (error: unknown): Outcome => ({ end: { kind: 'dead', error: textOf(error) }, error });

/** As a database keeps it. */
const textOf = (error: unknown): string => String(error).slice(0, MAX_ERROR_LENGTH).replaceAll('\0', '').toWellFormed();
