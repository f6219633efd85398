import { FairQueue } from './fair-queue.ts';

/** Time that the tasks of one turn of the event loop may take together; then what else waits has its turn. */
const SLICE_MS = 5;

/** A turn with a longer piece of work ends sooner: others have waited for all of that, and the next may take as long. */
const LONG_PIECE_MS = 2;
const SHARE_WITH_LONG = 0.5;

/** A caller that has turns where work waits. It is seldom asked whose they are, so the key is made when it is. */
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
  #isScheduled = false;
  /** When this turn of the event loop had its first work. */
  #begunMs: number | undefined;
  #lastMs = 0;
  /** How long this turn may be. */
  #turnMs: number;

  constructor(sliceMs = SLICE_MS, clock: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#turnMs = sliceMs;
    this.#clock = clock;
  }

  get waiting(): Pick<FairQueue<unknown>, 'size' | 'callers' | 'sizeOf'> {
    return this.#waiting;
  }

  /** Whether work may be done at once, which counts towards this turn: no other is served, and the turn has time for it. */
  hasTime(): boolean {
    return !this.#isRunning && this.#isWithinTurn();
  }

  /** Runs a task behind those of its caller that wait; never at once. */
  add(task: () => void, caller = ''): void {
    this.#waiting.add(caller, task);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#schedule();
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

  #isWithinTurn(): boolean {
    const nowMs = this.#clock();
    if (this.#begunMs === undefined) {
      this.#begunMs = nowMs;
      this.#turnMs = this.#sliceMs;
      this.#schedule();
    } else if (nowMs - this.#lastMs > LONG_PIECE_MS) this.#turnMs = this.#sliceMs * SHARE_WITH_LONG;
    this.#lastMs = nowMs;
    return nowMs - this.#begunMs < this.#turnMs;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#serve);
  }

  /** Tasks have what is left of the turn. */
  readonly #serve = (): void => {
    this.#isScheduled = false;
    if (this.#isRunning && this.#isWithinTurn()) this.#step();
    else this.#end();
  };

  readonly #step = (): void => {
    const task = this.#waiting.take();
    if (!task) {
      this.#isRunning = false;
      this.#end();
      for (const resolve of this.#whenIdle.splice(0)) resolve();
      return;
    }
    task();
    // A tick alone would run before the promises that the task has settled.
    if (this.#isWithinTurn()) queueMicrotask(() => process.nextTick(this.#step));
    else this.#end();
  };

  #end(): void {
    this.#begunMs = undefined;
    if (this.#isRunning) this.#schedule();
  }
}
