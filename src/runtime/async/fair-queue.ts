/** Items that wait, taken from one caller after the other: however many one caller adds, they delay only its own. */
export class FairQueue<T> {
  /** By caller, in the order in which their turns come. No line is empty. */
  readonly #waiting = new Map<string, Line<T>>();
  #size = 0;
  /** Whose item was taken last. */
  #served: string | undefined;

  get size(): number {
    return this.#size;
  }

  /** How many callers wait. */
  get callers(): number {
    return this.#waiting.size;
  }

  sizeOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  add(caller: string, item: T): void {
    let line = this.#waiting.get(caller);
    if (!line) {
      line = new Line();
      this.#waiting.set(caller, line);
      this.#toEnd(this.#served);
    }
    line.append(item);
    this.#size++;
  }

  /** All that wait, caller by caller. */
  *values(): Generator<T, void> {
    for (const line of this.#waiting.values()) yield* line.items();
  }

  /**
   * Takes the first item of the caller whose turn it is, or the first that is accepted; that caller is the last then. A caller
   * whose item is not wanted is passed over, and keeps its turn.
   */
  take(isAccepted?: (item: T) => boolean, isWanted?: (item: T) => boolean): T | undefined {
    for (const [caller, line] of this.#waiting) {
      const before = isAccepted ? line.before(isAccepted) : line.start;
      if (!before || (isWanted && before.next && !isWanted(before.next.item))) continue;
      const item = this.#cut(caller, line, before);
      this.#served = caller;
      this.#toEnd(caller);
      return item;
    }
    return undefined;
  }

  /** False when it does not wait. */
  remove(caller: string, item: T): boolean {
    const line = this.#waiting.get(caller);
    const before = line?.before((one) => one === item);
    if (!line || !before) return false;
    this.#cut(caller, line, before);
    return true;
  }

  /** A caller that has just been served waits behind those that have come since, too. */
  #toEnd(caller: string | undefined): void {
    if (caller === undefined) return;
    const line = this.#waiting.get(caller);
    if (!line) return;
    this.#waiting.delete(caller);
    this.#waiting.set(caller, line);
  }

  #cut(caller: string, line: Line<T>, before: Link<T>): T {
    const item = line.cut(before);
    if (line.length === 0) this.#waiting.delete(caller);
    this.#size--;
    return item;
  }
}

/** The place before an item. */
interface Link<T> {
  next: (Link<T> & { readonly item: T }) | undefined;
}

/** A linked list: an array of many items takes ever longer to lose its first one. */
class Line<T> {
  readonly start: Link<T> = { next: undefined };
  #end: Link<T> = this.start;
  length = 0;

  *items(): Generator<T, void> {
    for (let link = this.start.next; link; link = link.next) yield link.item;
  }

  append(item: T): void {
    const link = { item, next: undefined };
    this.#end.next = link;
    this.#end = link;
    this.length++;
  }

  /** The place before the first item that is accepted. */
  before(isAccepted: (item: T) => boolean): Link<T> | undefined {
    let link = this.start;
    while (link.next && !isAccepted(link.next.item)) link = link.next;
    return link.next && link;
  }

  /** Removes the item behind a place. */
  cut(before: Link<T>): T {
    const { item, next } = before.next!;
    before.next = next;
    if (!next) this.#end = before;
    this.length--;
    return item;
  }
}
