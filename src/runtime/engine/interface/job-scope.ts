import type { Ending } from '../../async/ending.ts';
import type { ClaimedJob } from '../../storage/jobs.ts';
import type { Log } from './call.ts';
import type { AnyJob, JobContext } from './jobs.ts';
import type { AnyResources, AnyTables } from './untyped.ts';

/** Why a run does not count, and writes nothing more: another one has the job, or its server stops. */
export class NotCounted extends Error {}

/** The jobs that a server knows. */
export interface SentJobs {
  has(job: AnyJob): boolean;
  /** The time of the queue, if it is not the database's. */
  now(): number | undefined;
  /** The span that goes on, if traces are sent. */
  traceparent(): string | undefined;
  /** Called after a commit that sent jobs. */
  onSent(): void;
}

/** A job that code runs, the log of the run, and what ends it. */
export interface JobCall {
  readonly job: ClaimedJob;
  readonly log: Log;
  readonly ending: Ending;
}

/** What the engine gives to the code of a job. */
export interface JobScope {
  readonly store: AnyTables;
  readonly transaction: JobContext<AnyResources>['transaction'];
  /** Whether a transaction that completes the job has been committed. */
  isCompleted(): boolean;
}
