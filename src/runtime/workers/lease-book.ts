/** What all workers have of a count. */
export interface Lease {
  readonly granted: number;
  /** All that was granted, to whomever. */
  readonly taken: number;
}

/**
 * What the workers of an instance may still count of each caller's limit. Keys begin with the number of their window, after
 * which they are forgotten.
 */
export class LeaseBook {
  readonly #taken = new Map<number, Map<string, number>>();

  take(key: string, wanted: number, limit: number): Lease {
    const counts = this.#countsOf(Number.parseInt(key, 10));
    const before = counts.get(key) ?? 0;
    const granted = Math.max(0, Math.min(wanted, limit - before));
    counts.set(key, before + granted);
    return { granted, taken: before + granted };
  }

  has(key: string): boolean {
    return this.#countsOf(Number.parseInt(key, 10)).has(key);
  }

  /** All that are counted, the oldest windows first. */
  keys(): readonly string[] {
    const windows = [...this.#taken].sort(([a], [b]) => a - b);
    return windows.flatMap(([, counts]) => [...counts.keys()]);
  }

  /** So many have been counted before any lease. */
  begin(key: string, counted: number): void {
    this.#countsOf(Number.parseInt(key, 10)).set(key, counted);
  }

  /** Requests of the window before may still be on their way. */
  #countsOf(window: number): Map<string, number> {
    const known = this.#taken.get(window);
    if (known) return known;
    for (const old of [...this.#taken.keys()]) if (old < window - 1) this.#taken.delete(old);
    const counts = new Map<string, number>();
    this.#taken.set(window, counts);
    return counts;
  }
}
