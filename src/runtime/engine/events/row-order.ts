/** By row, the last transaction that has changed it and is not published yet. */
type Unpublished = Map<string, Place>;

/**
 * Keeps the events of a row in the order of its versions: a commit may be answered after one of a transaction that waited
 * for it.
 */
export class RowOrder {
  readonly #unpublished: Unpublished = new Map();

  /** The place of one transaction. */
  place(): Place {
    return new Place(this.#unpublished);
  }
}

/** Whom a transaction is published after. */
class Place {
  readonly #unpublished: Unpublished;
  readonly #rows: string[] = [];
  readonly #earlier = new Set<Place>();
  readonly #published = Promise.withResolvers<void>();
  #isPublished = false;

  constructor(unpublished: Unpublished) {
    this.#unpublished = unpublished;
  }

  /** Called for each row that the transaction changes, while it has the lock of the row. */
  add(row: string): void {
    const before = this.#unpublished.get(row);
    if (before === this) return;
    if (before) this.#earlier.add(before);
    this.#unpublished.set(row, this);
    this.#rows.push(row);
  }

  /** Undefined: nobody is to be waited for. */
  get earlier(): Promise<unknown> | undefined {
    const left = [...this.#earlier].filter((place) => !place.#isPublished);
    return left.length > 0 ? Promise.all(left.map((place) => place.#published.promise)) : undefined;
  }

  /** The transaction has been published, or has changed nothing: those behind it need not wait for it. */
  leave(): void {
    for (const row of this.#rows) if (this.#unpublished.get(row) === this) this.#unpublished.delete(row);
    this.#isPublished = true;
    this.#published.resolve();
  }
}

export type { Place };
