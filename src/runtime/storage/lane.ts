import { FairQueue } from '../async/fair-queue.ts';
import { StoreError } from './store-error.ts';

export interface LaneOptions {
  /** How long a read waits for its turn. */
  readonly waitTimeoutMs: number;
  /** Number of reads that may wait; a quarter of them may be those of one caller. */
  readonly maxWaiting: number;
}

/** Who reads what; where there is more than one place, the reads of either leave one to others. */
export interface LaneRead {
  /** Undefined: the server itself, or callers whose reads are not dear, but wait for a lock. */
  readonly caller?: string | undefined;
  /** Undefined where a table cannot be locked as a whole. */
  readonly table?: string | undefined;
}

interface Waiter<P> extends LaneRead {
  readonly start: (place: P) => void;
  readonly reject: (error: StoreError) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Places for reads that may take long, apart from all other reads: connections or threads, with one read at a time on each.
 * Callers take turns, so that what is dear delays only its own caller.
 */
export class Lane<P> {
  readonly places: readonly P[];
  readonly #options: LaneOptions;
  readonly #running = new Map<P, LaneRead>();
  readonly #waiting = new FairQueue<Waiter<P>>();

  constructor(places: readonly P[], options: LaneOptions) {
    this.places = places;
    this.#options = options;
  }

  /** Throws `StoreError` `unavailable` if no turn comes in time, and what `work` throws. */
  async run<T>(read: LaneRead, work: (place: P) => Promise<T>): Promise<T> {
    const place = await this.#turn(read);
    try {
      return await work(place);
    } finally {
      this.#running.delete(place);
      this.#next();
    }
  }

  /** Refuses what waits. */
  close(): void {
    for (let one = this.#waiting.take(); one; one = this.#waiting.take()) refuse(one, 'the database is closed');
  }

  #turn(read: LaneRead): Promise<P> {
    const { caller = '' } = read;
    const { maxWaiting, waitTimeoutMs } = this.#options;
    const hasMost = caller !== '' && this.#waiting.sizeOf(caller) >= maxWaiting / 4;
    if (hasMost || this.#waiting.size >= maxWaiting) return Promise.reject(unavailable(TOO_MANY));
    return new Promise((start, reject) => {
      const timer = setTimeout(() => this.#waiting.remove(caller, waiter) && refuse(waiter, TOO_MANY), waitTimeoutMs);
      const waiter = { ...read, start, reject, timer };
      this.#waiting.add(caller, waiter);
      this.#next();
    });
  }

  #next(): void {
    for (;;) {
      const free = this.places.find((place) => !this.#running.has(place));
      if (free === undefined) return;
      const waiter = this.#waiting.take((one) => this.#mayRun(one));
      if (!waiter) return;
      clearTimeout(waiter.timer);
      this.#running.set(free, waiter);
      waiter.start(free);
    }
  }

  #mayRun(read: LaneRead): boolean {
    const running = [...this.#running.values()];
    const most = Math.max(1, this.places.length - 1);
    const isLeft = (key: 'caller' | 'table'): boolean =>
      read[key] === undefined || running.filter((one) => one[key] === read[key]).length < most;
    return isLeft('caller') && isLeft('table');
  }
}

const TOO_MANY = 'too many expensive reads are waiting';

function refuse({ reject, timer }: Pick<Waiter<unknown>, 'reject' | 'timer'>, why: string): void {
  clearTimeout(timer);
  reject(unavailable(why));
}

const unavailable = (why: string): StoreError => new StoreError({ kind: 'unavailable' }, new Error(why));
