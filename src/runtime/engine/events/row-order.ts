/** The place of one transaction among those that change the same rows. */
export interface Place {
  /** Called for each row that the transaction changes, while it has the lock of the row, or before it asks for the change. */
  add(row: string): void;
  /** Where other workers may change the rows, called before any commit of them: resolves when they know the place. */
  taken?(): Promise<void> | undefined;
  /** Publishes behind all that are before; at once, and true, if none is. Left out: the transaction has changed nothing. */
  end(publish?: () => void): boolean;
}

/** Makes the places. */
export interface Order {
  place(): Place;
}

/** By row, the last transaction that has changed it, until some time after it is published. */
type LastChanges = Map<string, RowPlace>;

/** As many rows as are forgotten in one turn of the event loop: a millisecond's work. */
const ROWS_A_TURN = 5_000;

/**
 * Keeps the events of a row in the order of its versions: a commit may be answered after one of a transaction that waited
 * for it.
 */
export class RowOrder implements Order {
  readonly #last: LastChanges = new Map();

  /** The place of one transaction. */
  place(): Place {
    return new RowPlace(this.#last);
  }
}

/** Whom a transaction is published after. */
class RowPlace implements Place {
  readonly #last: LastChanges;
  readonly #rows = new Set<string>();
  /** Seldom is any. */
  #behind: Set<RowPlace> | undefined;
  /** How many are before it. */
  #before = 0;
  #publish: (() => void) | undefined;
  #isPublished = false;

  constructor(last: LastChanges) {
    this.#last = last;
  }

  add(row: string): void {
    // Others may have come behind it since.
    if (this.#rows.has(row)) return;
    const last = this.#last.get(row);
    if (last && !last.#isPublished) this.#follow(last);
    this.#last.set(row, this);
    this.#rows.add(row);
  }

  #follow(last: RowPlace): void {
    last.#behind ??= new Set();
    if (last.#behind.has(this)) return;
    last.#behind.add(this);
    this.#before++;
  }

  end(publish = () => {}): boolean {
    this.#publish = publish;
    const isNow = this.#before === 0;
    if (isNow) this.#leave();
    return isNow;
  }

  /** Publishes, and then those that have waited for this alone, in a loop: many may wait for one. */
  #leave(): void {
    const leaving: RowPlace[] = [this];
    const faults: unknown[] = [];
    for (const place of leaving) {
      try {
        place.#publish?.();
      } catch (error) {
        faults.push(error);
      }
      place.#isPublished = true;
      place.#forget();
      for (const next of place.#behind ?? []) if (--next.#before === 0 && next.#publish) leaving.push(next);
      place.#behind = undefined;
    }
    if (faults.length > 0) throw faults[0];
  }

  #forget(): void {
    let left = ROWS_A_TURN;
    for (const row of this.#rows) {
      if (left-- === 0) {
        setImmediate(() => this.#forget());
        return;
      }
      this.#rows.delete(row);
      if (this.#last.get(row) === this) this.#last.delete(row);
    }
  }
}
