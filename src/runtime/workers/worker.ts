import { Mailbox } from './mailbox.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Port } from './team.ts';

/** A process that was started as a worker. */
export interface WorkerProcess extends Port<ToWorker, FromWorker> {
  /** Undefined if it could not be started: then it ends. */
  readonly pid: number | undefined;
  kill(): void;
  /** `how`: `code 1`, or `SIGKILL`. */
  onEnd(ended: (how: string, isClean: boolean) => void): void;
}

/** One of the workers of an instance. */
export class Worker {
  readonly index: number;
  readonly process: WorkerProcess;
  readonly ended = Promise.withResolvers<boolean>();
  readonly served = Promise.withResolvers<string>();
  /** When it began to serve. */
  servesSince: number | undefined;
  heardAt = 0;
  isBooted = false;
  /** When it was asked to end. */
  stopsSince: number | undefined;
  /** It has finished all of its work. */
  isDone = false;
  readonly #mailbox: Mailbox<ToWorker>;

  constructor(index: number, process: WorkerProcess) {
    this.index = index;
    this.process = process;
    this.#mailbox = new Mailbox((batch) => process.send(batch));
    this.served.promise.catch(() => {});
  }

  post(message: ToWorker, weight?: number): void {
    this.#mailbox.post(message, weight);
  }

  stop(isReplaced: boolean): void {
    this.stopsSince = performance.now();
    this.post({ kind: 'stop', isReplaced });
  }
}
