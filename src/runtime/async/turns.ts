/** Time that the tasks of one turn of the event loop may take together; then what else waits has its turn. */
const SLICE_MS = 5;

/** Done tasks that are kept in the queue before it is copied without them. */
const MAX_DONE = 4_096;

/**
 * Spreads tasks over turns of the event loop, in the order given. What a task starts counts towards its turn as far as it
 * runs at once: promises and `process.nextTick` are served between two tasks. A task must not throw.
 */
export class Turns {
  readonly #sliceMs: number;
  readonly #clock: () => number;
  #tasks: ((() => void) | undefined)[] = [];
  #done = 0;
  #whenIdle: (() => void)[] = [];
  #isRunning = false;
  #begunMs = 0;

  constructor(sliceMs = SLICE_MS, clock: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#clock = clock;
  }

  /** Runs a task behind those that wait; never at once. */
  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(this.#begin);
  }

  /** Resolves when it is the caller's turn, behind the tasks that wait. */
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
    const task = this.#take();
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

  #take(): (() => void) | undefined {
    const task = this.#tasks[this.#done];
    // What a done task refers to, such as a whole request, must not live as long as the queue.
    this.#tasks[this.#done++] = undefined;
    if (!task) {
      this.#tasks = [];
      this.#done = 0;
    } else if (this.#done > MAX_DONE) {
      this.#tasks = this.#tasks.slice(this.#done);
      this.#done = 0;
    }
    return task;
  }
}
