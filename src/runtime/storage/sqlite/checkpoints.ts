import type { SlowThread } from './slow-thread.ts';

/** Pages that are written from one checkpoint to the next. */
const PAGES = 2_000;

/** Pages of the log from which on a commit copies them itself, because the thread has not kept up: 64 MiB. */
export const MAX_LOG_PAGES = 16_384;

const CHECKPOINT = { statement: { sql: 'pragma wal_checkpoint(passive)', slots: [] }, values: [] };

/**
 * Copies what was committed from the log into the file (https://www.sqlite.org/wal.html#ckpt), in a thread: a flush to the
 * disk can take longer than all that is copied.
 */
export class Checkpoints {
  readonly #thread: SlowThread;
  /** How many pages had been written when the last checkpoint began. */
  #begunAt = 0;
  #isCopying = false;

  constructor(thread: SlowThread) {
    this.#thread = thread;
  }

  /** `writtenPages`: by the commits so far. */
  follow(writtenPages: number): void {
    if (this.#isCopying || writtenPages - this.#begunAt < PAGES) return;
    this.#begunAt = writtenPages;
    this.#isCopying = true;
    const end = (): void => {
      this.#isCopying = false;
    };
    // What fails here fails again, and is reported, where a commit copies.
    this.#thread.all(CHECKPOINT).then(end, end);
  }
}
