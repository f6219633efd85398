/** Items that wait, taken from one caller after the other: however many one caller adds, they delay only its own. */
export class FairQueue<T> {
  /** By caller, in the order in which their turns come. No list is empty. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  add(caller: string, item: T): void {
    const own = this.#waiting.get(caller);
    if (own) own.push(item);
    else this.#waiting.set(caller, [item]);
    this.#size++;
  }

  /** Takes the first item of the caller whose turn it is, or the first that is accepted; that caller is the last then. */
  take(isAccepted?: (item: T) => boolean): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const at = isAccepted ? items.findIndex(isAccepted) : 0;
      if (at < 0) continue;
      const item = this.#removeAt(caller, items, at);
      // Behind all others.
      if (this.#waiting.delete(caller)) this.#waiting.set(caller, items);
      return item;
    }
    return undefined;
  }

  /** False when it does not wait. */
  remove(caller: string, item: T): boolean {
    const items = this.#waiting.get(caller);
    const at = items?.indexOf(item) ?? -1;
    if (at >= 0) this.#removeAt(caller, items!, at);
    return at >= 0;
  }

  #removeAt(caller: string, items: T[], at: number): T {
    const [item] = at === 0 ? [items.shift()!] : items.splice(at, 1);
    if (items.length === 0) this.#waiting.delete(caller);
    this.#size--;
    return item!;
  }
}
