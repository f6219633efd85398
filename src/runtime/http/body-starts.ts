import { FairQueue } from '../async/fair-queue.ts';

/** After so much in one turn of the event loop, by what bodies declare, the others wait for the next. */
const BYTES_A_TURN = 2 * 2 ** 20;

/**
 * Begins to read bodies that do not come with their heads, one caller after the other: Node reads whatever has arrived of
 * all bodies that are being read in one turn of the event loop, whatever time that takes.
 */
export class BodyStarts {
  readonly #waiting = new FairQueue<{ readonly bytes: number; start(): void }>();
  #leftBytes = BYTES_A_TURN;
  #isScheduled = false;

  add(caller: string, bytes: number, start: () => void): void {
    this.#waiting.add(caller, { bytes, start });
    if (!this.#isScheduled) this.#schedule();
    this.#serve();
  }

  #serve(): void {
    while (this.#leftBytes > 0) {
      const next = this.#waiting.take();
      if (!next) return;
      this.#leftBytes -= next.bytes;
      next.start();
    }
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#leftBytes = BYTES_A_TURN;
      this.#isScheduled = this.#waiting.size > 0;
      if (this.#isScheduled) this.#schedule();
      this.#serve();
    });
  }
}
