import { FairQueue } from './fair-queue.ts';

/** Time that the tasks of one turn of the event loop may take together; then what else waits has its turn. */
const SLICE_MS = 5;

/** Who has turns where work waits. Seldom asked for whose they are, so that it need not be at hand. */
export interface TurnTaker {
  readonly turn?: string | undefined;
}

/**
 * Spreads tasks over turns of the event loop, one caller after the other, and those of a caller in the order given. What a
 * task starts counts towards its turn as far as it runs at once: promises and `process.nextTick` are served between two
 * tasks. A task must not throw.
 */
export class Turns {
  readonly #sliceMs: number;
  readonly #clock: () => number;
  readonly #waiting = new FairQueue<() => void>();
  #whenIdle: (() => void)[] = [];
  #isRunning = false;
  #begunMs = 0;

  constructor(sliceMs = SLICE_MS, clock: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#clock = clock;
  }

  get waiting(): Pick<FairQueue<unknown>, 'size' | 'callers' | 'sizeOf'> {
    return this.#waiting;
  }

  /** Runs a task behind those of its caller that wait; never at once. */
  add(task: () => void, caller = ''): void {
    this.#waiting.add(caller, task);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(this.#begin);
  }

  /** Resolves behind the tasks of no caller that wait. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** Resolves when no task waits. */
  idle(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  readonly #begin = (): void => {
    this.#begunMs = this.#clock();
    this.#step();
  };

  readonly #step = (): void => {
    const task = this.#waiting.take();
    if (!task) {
      this.#isRunning = false;
      for (const resolve of this.#whenIdle.splice(0)) resolve();
      return;
    }
    task();
    if (this.#clock() - this.#begunMs >= this.#sliceMs) setImmediate(this.#begin);
    // A tick alone would run before the promises that the task has settled.
    else queueMicrotask(() => process.nextTick(this.#step));
  };
}
