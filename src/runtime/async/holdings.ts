/** Counts what each caller holds, up to a limit. */
export class Holdings {
  readonly limit: number;
  readonly #held = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  of(caller: string): number {
    return this.#held.get(caller) ?? 0;
  }

  /** Counts it until the returned function is called; undefined if the caller would hold more than the limit. */
  take(caller: string, count = 1): (() => void) | undefined {
    const total = this.of(caller) + count;
    if (total > this.limit) return undefined;
    this.#held.set(caller, total);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.of(caller) - count;
      if (left > 0) this.#held.set(caller, left);
      else this.#held.delete(caller);
    };
  }
}
