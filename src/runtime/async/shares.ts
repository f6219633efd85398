import { Holdings } from './holdings.ts';

const ALL = '';

/** Divides an amount among callers: nobody holds more than is left, so that there is some for whoever comes next. */
export class Shares {
  readonly #all: Holdings;
  readonly #byCaller = new Holdings(Number.POSITIVE_INFINITY);

  constructor(total: number) {
    this.#all = new Holdings(total);
  }

  /** Holds some until the returned function is called; undefined if the caller would have more than is left. */
  take(caller: string, count: number): (() => void) | undefined {
    const left = this.#all.limit - this.#all.of(ALL);
    if (this.#byCaller.of(caller) + count > left) return undefined;
    const giveBack = this.#all.take(ALL, count)!;
    const leave = this.#byCaller.take(caller, count)!;
    return () => {
      giveBack();
      leave();
    };
  }
}
