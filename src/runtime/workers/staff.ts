import type { FastifyBaseLogger } from 'fastify';
import type { FromWorker } from './messages.ts';
import { Worker, type WorkerProcess } from './worker.ts';
import { WorkerError } from './worker-error.ts';

/** What the primary does for its workers. */
interface Services {
  join(worker: Worker): void;
  receive(worker: Worker, message: FromWorker): void;
  leave(worker: Worker, isClean: boolean): void;
}

export interface StaffOptions extends Services {
  readonly count: number;
  /** How long a worker may take to finish what it does when it is to end. */
  readonly endMs: number;
  readonly fork: (index: number) => WorkerProcess;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Called when workers end again and again before they serve. */
  readonly giveUp: (error: Error) => void;
}

/** A worker that serves and says nothing for this long is taken for hung: it beats once a second. */
const SILENCE_MS = 10_000;
const WATCH_MS = 1_000;
/** How long to wait before a worker is replaced that has ended soon, or could not be started; twice as long each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** One that has served this long has not ended for a reason that will soon end the next one. */
const SETTLED_MS = 10_000;
/** After so many in a row that have not come to serve, no further one is tried. */
const MAX_FAILURES = 5;

/** The workers of an instance: starts them, replaces those that end, and ends all of them. */
export class Staff {
  readonly #options: StaffOptions;
  /** By their index, the one that serves, or is to serve. */
  readonly #workers = new Map<number, Worker>();
  /** All that have not ended, those that are replaced among them. */
  readonly #running = new Set<Worker>();
  readonly #started = Promise.withResolvers<void>();
  readonly #watch: NodeJS.Timeout;
  /** Workers in a row that ended before they served, and those that ended soon after. */
  #failures = 0;
  #shortLives = 0;
  #isOpen = false;
  #isEnding = false;
  /** Workers are replaced one after the other. */
  #replaced: Promise<void> = this.#started.promise;
  #restarting: Promise<void> | undefined;
  /** The last one that was to take the place of one that serves. */
  #successor: Worker | undefined;

  constructor(options: StaffOptions) {
    this.#options = options;
    // After a pause of the primary itself, what workers have said meanwhile is read first.
    this.#watch = setInterval(() => setImmediate(() => this.#endSilent()), WATCH_MS);
    this.#watch.unref();
  }

  /** Resolves with the address when all serve, which they begin together; rejects with `WorkerError`. */
  async start(): Promise<string> {
    const workers = Array.from({ length: this.#options.count }, (_, index) => this.#fork(index));
    try {
      const [url] = await Promise.all(workers.map(({ served }) => served.promise));
      this.#started.resolve();
      return url ?? '';
    } catch (error) {
      // Whoever has asked for the end says how it went.
      if (this.#isEnding) return new Promise(() => {});
      this.#isEnding = true;
      clearInterval(this.#watch);
      for (const { process } of workers) process.kill();
      throw error;
    }
  }

  /** Resolves when all have ended; rejects if some had to be ended, or ended with a fault. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#watch);
    const all = [...this.#running];
    for (const { servesSince, process } of all) if (servesSince === undefined) process.kill();
    const workers = all.filter(({ servesSince }) => servesSince !== undefined);
    for (const worker of workers) if (worker.stopsSince === undefined) worker.stop(false);
    const clean = await Promise.all(workers.map(({ ended }) => ended.promise));
    const faults = clean.filter((isClean) => !isClean).length;
    if (faults > 0) throw new Error(`${faults} of ${clean.length} workers did not end as they should.`);
  }

  /** Ends all that are left, at once. */
  kill(): void {
    for (const { process } of this.#running) process.kill();
  }

  /** Replaces one worker after the other, once all serve: each goes on until its successor does. */
  restart(): Promise<void> {
    this.#restarting ??= this.#renew(() => [...this.#workers.values()], 'all workers have been replaced').finally(
      () => {
        this.#restarting = undefined;
      },
    );
    return this.#restarting;
  }

  #renew(which: () => readonly Worker[], done: string): Promise<void> {
    this.#replaced = this.#replaced.then(async () => {
      for (const old of which()) if (!(await this.#succeed(old))) return;
      this.#options.log.info(done);
    });
    return this.#replaced;
  }

  /** Replaces a worker, unless it has ended meanwhile; whether that went well. */
  async #succeed(old: Worker): Promise<boolean> {
    const { index } = old;
    await old.served.promise.catch(() => {});
    if (this.#isEnding) return false;
    if (this.#workers.get(index) !== old) return true;
    try {
      this.#successor = this.#fork(index);
      await this.#successor.served.promise;
    } catch (error) {
      if (this.#isEnding) return false;
      const message = 'the worker that was to replace another did not start: the others go on as they are';
      this.#options.log.error({ err: error }, message);
      if (this.#running.has(old)) this.#workers.set(index, old);
      else this.#replace(old, 'as its successor');
      return false;
    }
    old.stop(true);
    await old.ended.promise;
    return true;
  }

  #fork(index: number): Worker {
    const { fork, join } = this.#options;
    let isHeard = false;
    const worker = new Worker(index, fork(index));
    this.#workers.set(index, worker);
    this.#running.add(worker);
    worker.process.onBatch((batch) => {
      // What a process is sent before it listens may be lost.
      if (!isHeard) join(worker);
      isHeard = true;
      worker.heardAt = performance.now();
      for (const message of batch) this.#receive(worker, message);
    });
    worker.process.onEnd((how, isClean) => this.#ended(worker, how, isClean));
    return worker;
  }

  #receive(worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'booted':
        worker.isBooted = true;
        this.#open();
        break;
      case 'serving':
        worker.servesSince = performance.now();
        this.#failures = 0;
        worker.served.resolve(message.url);
        break;
      case 'failed':
        worker.served.reject(new WorkerError(message.why));
        worker.post({ kind: 'bye' });
        break;
      case 'bye':
        worker.isDone = true;
        this.#options.receive(worker, message);
        worker.post({ kind: 'bye' });
        break;
      case 'beat':
        break;
      case 'signalled':
        // A terminal, and systemd, send a signal to the primary as well, which it takes in this turn.
        setImmediate(() => void this.#renew(() => [worker], 'a worker has been replaced'));
        break;
      default:
        this.#options.receive(worker, message);
    }
  }

  /** The first begin to listen together, so that an instance is there as a whole; others as soon as they can. */
  #open(): void {
    const workers = [...this.#workers.values()];
    this.#isOpen ||= workers.every(({ isBooted }) => isBooted);
    if (!this.#isOpen) return;
    for (const worker of workers)
      if (worker.isBooted && worker.servesSince === undefined) worker.post({ kind: 'serve' });
  }

  #ended(worker: Worker, how: string, isClean: boolean): void {
    const { leave, log } = this.#options;
    leave(worker, worker.isDone);
    this.#running.delete(worker);
    worker.served.reject(new WorkerError(`A worker ended before it served (${how}).`));
    worker.ended.resolve(isClean);
    const { index, process, servesSince } = worker;
    if (this.#workers.get(index) !== worker) return;
    this.#workers.delete(index);
    if (this.#isEnding || !this.#isOpen || (worker === this.#successor && servesSince === undefined)) return;
    const isStarted = process.pid !== undefined;
    const message = `a worker ${isStarted ? 'has ended, and another one replaces it' : 'could not be started: it is tried again'}`;
    log.error({ worker: process.pid, how }, message);
    this.#replace(worker, how);
  }

  #replace({ index, servesSince, process }: Worker, how: string): void {
    // Without room for another process, those that serve go on.
    if (servesSince === undefined && process.pid !== undefined) this.#failures++;
    if (this.#failures >= MAX_FAILURES) {
      this.#options.giveUp(new WorkerError(`${MAX_FAILURES} workers in a row have ended before they served (${how}).`));
      return;
    }
    const isSettled = servesSince !== undefined && performance.now() - servesSince > SETTLED_MS;
    this.#shortLives = isSettled ? 0 : this.#shortLives + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#shortLives - 2), LONGEST_PAUSE_MS);
    const fork = (): void => {
      if (!this.#isEnding && !this.#workers.has(index)) this.#fork(index);
    };
    if (this.#shortLives > 1) setTimeout(fork, pauseMs);
    else fork();
  }

  #endSilent(): void {
    const now = performance.now();
    for (const { servesSince, heardAt, stopsSince, process } of this.#running) {
      if (servesSince === undefined) continue;
      const [since, allowedMs] = stopsSince === undefined ? [heardAt, SILENCE_MS] : [stopsSince, this.#options.endMs];
      if (since + allowedMs > now) continue;
      this.#options.log.error({ worker: process.pid }, `a worker has not answered for ${allowedMs} ms: it is ended`);
      process.kill();
    }
  }
}
