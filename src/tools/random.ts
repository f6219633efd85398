/** Numbers that look random and are the same for a seed everywhere (mulberry32). */
export class Random {
  #state: number;

  /** @param seed any 32-bit integer */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** From `minimum` to `maximum`, with both. */
  integer(minimum: number, maximum: number): number {
    return minimum + this.below(maximum - minimum + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** `size` different ones of the values, or all if they are fewer. */
  sample<T>(values: readonly T[], size: number): T[] {
    if (values.length <= size) return [...values];
    const chosen = new Set<number>();
    while (chosen.size < size) chosen.add(this.below(values.length));
    return [...chosen].map((index) => values[index]!);
  }
}
