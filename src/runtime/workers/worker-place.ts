import type { Place } from '../engine/events/row-order.ts';

/** What gives transactions their places among those of all workers. */
export interface Placing {
  /**
   * Resolves when the rows are those of a place, with its number, which is `known` if it has some already; undefined if
   * nobody follows them.
   */
  take(place: WorkerPlace, rows: readonly string[], known: number | undefined): Promise<number> | undefined;
  /** Gives up a place whose transaction has published nothing. */
  giveUp(number: number): void;
  /** Called for each place that has been asked for, taken or not. */
  ended(place: WorkerPlace): void;
}

/** The place of a transaction of one worker among those of all workers that change the same rows. */
export class WorkerPlace implements Place {
  readonly #placing: Placing;
  readonly #rows = new Set<string>();
  /** Those that have been asked for. */
  #asked = 0;
  #number: number | undefined;
  #whenEnded: PromiseWithResolvers<void> | undefined;

  constructor(placing: Placing) {
    this.#placing = placing;
  }

  add(row: string): void {
    this.#rows.add(row);
  }

  taken(): Promise<void> | undefined {
    if (this.#rows.size === this.#asked) return undefined;
    const rows = [...this.#rows].slice(this.#asked);
    this.#asked = this.#rows.size;
    return this.#placing.take(this, rows, this.#number)?.then((number) => {
      this.#number = number;
    });
  }

  end(): boolean {
    const number = this.handOver();
    if (number !== undefined) this.#placing.giveUp(number);
    return true;
  }

  /** Its number, for the news of its transaction, which end it; undefined if it has none. */
  handOver(): number | undefined {
    const number = this.#number;
    this.#number = undefined;
    if (this.#asked > 0) this.#placing.ended(this);
    this.#whenEnded?.resolve();
    return number;
  }

  /** Resolves when its transaction has published what it did, or nothing. */
  get whenEnded(): Promise<void> {
    this.#whenEnded ??= Promise.withResolvers();
    return this.#whenEnded.promise;
  }
}
