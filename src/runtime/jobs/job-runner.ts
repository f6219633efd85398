import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../../descriptor/config-error.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { Ending } from '../async/ending.ts';
import type { Log } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import { type JobScope, NotCounted, type SentJobs } from '../engine/interface/job-scope.ts';
import type { AnyJob } from '../engine/interface/jobs.ts';
import type { ReportFailure } from '../errors/report-failure.ts';
import type { ClaimedJob, EndedRun, JobCounts, JobQueue } from '../storage/jobs.ts';
import type { RunJob } from './event-jobs.ts';
import { logOf, type Outcome, type RunParts, type RunScope, runJob } from './run-job.ts';
import { type Schedules, ScheduleTicks } from './schedules.ts';

/** How often an instance looks for jobs that others have sent, or whose time has come. */
const LOOK_MS = 1_000;
const RENEW_MS = 10_000;
const SWEEP_MS = 60_000;
/** How long runs may take to end when the server does. */
const STOP_MS = 1_000;
const PASSED = 'The job has passed to another run.';

/** One run of a job. */
interface JobRun {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
}

/** What one look at the jobs has run. */
export interface JobRuns {
  readonly ran: readonly JobRun[];
  readonly failed: readonly (JobRun & { readonly error: unknown })[];
}

/** How runs are measured. */
export interface JobTelemetry {
  traceparent(): string | undefined;
  observeJob(job: ClaimedJob, run: () => Promise<Outcome>): Promise<Outcome>;
}

export interface JobRunnerOptions {
  readonly jobs: readonly RunJob[];
  readonly queue: JobQueue;
  readonly log: Log;
  /** Milliseconds since 1970; undefined: the database's time. */
  readonly clock: (() => number) | undefined;
  readonly schedules: Schedules;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly telemetry: JobTelemetry | undefined;
  readonly reportFailure: ReportFailure | undefined;
}

interface Running {
  readonly ending: Ending;
  readonly scope: JobScope;
  readonly ended: Promise<unknown>;
}

/** Runs the jobs of a server, several at a time. */
export class JobRunner implements SentJobs {
  readonly #options: JobRunnerOptions;
  readonly #jobs: ReadonlyMap<string, AnyJob>;
  /** By which it claims jobs. */
  readonly #names: readonly string[];
  readonly #ticks: ScheduleTicks;
  readonly #running = new Map<ClaimedJob, Running>();
  /** Runs that have ended, until this is written with the next look. */
  readonly #ended: EndedRun[] = [];
  /** Those that are being written. */
  readonly #written = new Set<EndedRun>();
  readonly #timers: NodeJS.Timeout[] = [];
  #parts: RunParts | undefined;
  #atOnce = 0;
  #looking: Promise<void> | undefined;
  #isWoken = false;
  /** Whether the next look is one for what others have sent. */
  #isThoroughDue = false;
  /** Whether events may have been committed since they were last taken. */
  #hasEvents = false;
  #isFailing = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]));
    this.#names = options.jobs.flatMap(({ name, claimedAs = [name] }) => claimedAs);
    this.#ticks = new ScheduleTicks(options.schedules, options.queue, this.now());
  }

  has(job: AnyJob): boolean {
    return this.#jobs.get(job.name) === job;
  }

  now(): number | undefined {
    return this.#options.clock?.();
  }

  traceparent(): string | undefined {
    return this.#options.telemetry?.traceparent();
  }

  counts(): Promise<JobCounts> {
    return this.#options.queue.counts(this.now());
  }

  onSent(): void {
    this.#hasEvents = true;
    this.#wake();
  }

  /** The engine that runs their transactions. */
  runIn(engine: Pick<Engine, 'jobScope'>): void {
    const { log, clock = Date.now, random = Math.random } = this.#options;
    this.#parts = { engine, log, now: () => new Date(clock()), random };
  }

  /**
   * Runs so many jobs at a time, until it is stopped; 0: none. What code that is gone has sent ends in time, also without any other job.
   * `warnsOfHold`: one runner of an instance logs that jobs are held.
   */
  start(atOnce: number, warnsOfHold = true): void {
    if (warnsOfHold && this.#jobs.size > 0) void this.#tried(() => this.#warnOfHold());
    if (atOnce === 0) return;
    const every = (ms: number, work: () => unknown) => this.#timers.push(setInterval(work, ms).unref());
    every(SWEEP_MS, () => this.#tried(() => this.#options.queue.sweep(this.#names, this.now())));
    if (this.#jobs.size === 0) return;
    this.#atOnce = atOnce;
    every(LOOK_MS, () => this.#lookThoroughly());
    every(RENEW_MS, () => this.#tried(() => this.#renew()));
    this.#lookThoroughly();
  }

  /** Runs all that is due, one job after the other, until nothing is. */
  async runDue(): Promise<JobRuns> {
    const ran: JobRun[] = [];
    const failed: (JobRun & { readonly error: unknown })[] = [];
    await this.#options.queue.sweep(this.#names, this.now());
    await this.#ticks.look(this.now());
    for (;;) {
      do await this.#takeEvents();
      while (this.#hasEvents);
      const [job] = await this.#claim(1, true);
      if (!job) return { ran, failed };
      const { end, error } = await this.#begin(job);
      const { id, name, attempt } = job;
      if (end.kind === 'done' && error === undefined) ran.push({ id, name, attempt });
      else failed.push({ id, name, attempt, error });
    }
  }

  /** Takes no more jobs; what still runs is given back after a while, and does not count. */
  async stop(): Promise<void> {
    this.#atOnce = 0;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await this.#looking;
    await this.#writeEnds();
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    const ended = Promise.all(running.map((one) => one.ended));
    const late = new AbortController();
    await Promise.race([ended, delay(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    for (const { ending } of this.#running.values()) ending.abort(new NotCounted('The server stops.'));
    await ended;
  }

  async #warnOfHold(): Promise<void> {
    if (await this.#options.queue.isHeld())
      this.#options.log.warn(
        {},
        'jobs are held, as in every copy: they are sent, and not run before the command `jobs release`',
      );
  }

  #wake(): void {
    if (this.#isWoken || this.#atOnce === 0) return;
    this.#isWoken = true;
    setImmediate(() => this.#look());
  }

  #lookThoroughly(): void {
    this.#isThoroughDue = true;
    this.#look();
  }

  /** One look at a time: what wakes it meanwhile is looked for afterwards. */
  #look(): void {
    if (this.#looking || this.#atOnce === 0) return;
    const isThorough = this.#isThoroughDue;
    this.#isWoken = false;
    this.#isThoroughDue = false;
    this.#looking = this.#tried(() => this.#fill(isThorough)).finally(() => {
      this.#looking = undefined;
      if (this.#isWoken || this.#isThoroughDue) setImmediate(() => this.#look());
    });
  }

  /** One turn: where more events wait, jobs that are due come between. */
  async #takeEvents(): Promise<void> {
    this.#hasEvents = false;
    if (!(await this.#options.queue.takeEvents(this.now()))) return;
    this.#hasEvents = true;
    this.#wake();
  }

  async #fill(isThorough: boolean): Promise<void> {
    try {
      if (isThorough) await this.#ticks.look(this.now());
      if (isThorough || this.#hasEvents) await this.#takeEvents();
    } finally {
      // What keeps ticks or events waiting holds up no jobs.
      const free = this.#atOnce - this.#running.size;
      if (free > 0) for (const job of await this.#claim(free, isThorough)) void this.#begin(job);
    }
  }

  #claim(limit: number, isThorough: boolean): Promise<readonly ClaimedJob[]> {
    return this.#withEnds((ended) =>
      this.#options.queue.claim({ ended, names: this.#names, limit, isThorough }, this.now()),
    );
  }

  async #writeEnds(): Promise<void> {
    if (this.#ended.length > 0)
      await this.#tried(() => this.#withEnds((ended) => this.#options.queue.end(ended, this.now())));
  }

  /** Where ends cannot be written, they are with the next look. */
  async #withEnds<T>(write: (ended: readonly EndedRun[]) => Promise<T>): Promise<T> {
    const ended = this.#ended.splice(0);
    for (const one of ended) this.#written.add(one);
    try {
      return await write(ended);
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    } finally {
      for (const one of ended) this.#written.delete(one);
    }
  }

  #begin(job: ClaimedJob): Promise<Outcome> {
    for (const [{ id }, { ending }] of this.#running) if (id === job.id) ending.abort(new NotCounted(PASSED));
    const parts = this.#parts!;
    const ending = new Ending();
    const log = logOf(parts.log, job);
    const scope = parts.engine.jobScope({ job, log, ending });
    const ended = this.#run(job, parts, { scope, log, ending });
    this.#running.set(job, { ending, scope, ended });
    return ended;
  }

  async #run(claimed: ClaimedJob, parts: RunParts, within: RunScope): Promise<Outcome> {
    const { telemetry } = this.#options;
    const job = lookUp(this.#jobs, claimed.name);
    const run = () => runJob(job, claimed, within, parts);
    const outcome = await (telemetry ? telemetry.observeJob(claimed, run) : run());
    this.#report(claimed, outcome);
    this.#ended.push({ id: claimed.id, claims: claimed.claims, end: outcome.end });
    // A look may take long, for instance with many events.
    if (this.#atOnce === 0 || this.#looking) await this.#writeEnds();
    this.#running.delete(claimed);
    this.#wake();
    return outcome;
  }

  #report({ name, id, attempt, requestId }: ClaimedJob, { end, error: err }: Outcome): void {
    if (end.kind === 'back' || (end.kind === 'done' && err === undefined)) return;
    const { log, reportFailure } = this.#options;
    reportFailure?.(err);
    const fields = { job: name, jobId: id, attempt, requestId, err };
    if (end.kind === 'dead') log.error(fields, 'job is dead');
    else if (end.kind === 'again') log.warn({ ...fields, againInMs: end.delayMs }, 'job failed');
    else log.warn(fields, 'job failed after the transaction that completes it');
  }

  async #renew(): Promise<void> {
    const running = [...this.#running];
    const leases = [...this.#running.keys(), ...this.#ended, ...this.#written];
    if (leases.length === 0) return;
    const held = await this.#options.queue.renew(leases, this.now());
    for (const [{ id }, { ending, scope }] of running)
      if (!held.has(id) && !scope.isCompleted()) ending.abort(new NotCounted(PASSED));
  }

  /** A database that does not answer is asked again later. */
  async #tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.log.warn({ why: reasonOf(error) }, 'jobs cannot be reached');
      this.#isFailing = true;
    }
  }
}
