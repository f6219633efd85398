import { FairQueue } from '../../async/fair-queue.ts';
import type { Turns } from '../../async/turns.ts';
import type { MISSED_EVENTS, RowChange } from './row-change.ts';

type Change = RowChange | typeof MISSED_EVENTS;
export type Listener = (change: Change) => void;

/** Changes of one kind, and who listened when they were published: whoever came later has read what they have made. */
export interface Publication {
  readonly changes: readonly Change[];
  readonly listeners: ReadonlySet<Listener>;
  readonly told: readonly Listener[];
}

/** Changes that have been published and that wait for listeners to hear of them, in their order. */
export class Publications {
  readonly #turns: Turns;
  readonly #mostWaiting: number;
  readonly #queue = new FairQueue<Publication>();
  #first: Publication | undefined;
  /** How many changes of the first are done. */
  #done = 0;
  /** How many changes wait. */
  #waiting = 0;

  /** Where more changes wait than `mostWaiting`, each transaction makes as many heard at once as it has itself. */
  constructor(turns: Turns, mostWaiting: number) {
    this.#turns = turns;
    this.#mostWaiting = mostWaiting;
  }

  /** Those of one transaction, behind those that wait; at once what this turn of the event loop has time for. */
  add(publications: readonly Publication[]): void {
    const [isFull, isBehind] = [this.#waiting > this.#mostWaiting, this.#waiting > 0];
    let length = 0;
    for (const publication of publications) {
      this.#queue.add('', publication);
      length += publication.changes.length;
    }
    this.#waiting += length;
    if (isFull) for (let i = 0; i < length; i++) this.#tellNext();
    if (isBehind) return;
    while (this.#waiting > 0 && this.#turns.hasTime()) this.#tellNext();
    if (this.#waiting > 0) this.#turns.add(this.#tellInTurns);
  }

  readonly #tellInTurns = (): void => {
    this.#tellNext();
    if (this.#waiting > 0) this.#turns.add(this.#tellInTurns);
  };

  #tellNext(): void {
    this.#first ??= this.#queue.take();
    const change = this.#first?.changes[this.#done++];
    if (!this.#first || change === undefined) return;
    const { changes, listeners, told } = this.#first;
    this.#waiting--;
    if (this.#done === changes.length) {
      this.#first = undefined;
      this.#done = 0;
    }
    for (const listener of told) if (listeners.has(listener)) listener(change);
  }
}
