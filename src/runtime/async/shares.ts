import { Holdings } from './holdings.ts';

/** Divides an amount among callers: nobody holds more than is left, so that there is some for whoever comes next. */
export class Shares {
  readonly #total: number;
  readonly #byCaller = new Holdings(Number.POSITIVE_INFINITY);
  #held = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Holds some until the returned function is called; undefined if the caller would have more than is left. */
  take(caller: string, count: number): (() => void) | undefined {
    const own = this.#byCaller.of(caller) + count;
    if (own > this.#total - this.#held) return undefined;
    const giveBack = this.#byCaller.take(caller, count)!;
    this.#held += count;
    let isHeld = true;
    return () => {
      if (isHeld) this.#held -= count;
      isHeld = false;
      giveBack();
    };
  }
}
