/** Reproducible random numbers: the same seed gives the same sequence everywhere (mulberry32, public domain). */
export class Random {
  #state: number;

  /** @param seed any 32-bit integer */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** In [minimum, maximum], both included. */
  integer(minimum: number, maximum: number): number {
    return minimum + Math.floor(this.next() * (maximum - minimum + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** `count` different choices, or all when there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[] {
    const picked = new Set<T>();
    const size = Math.min(count, choices.length);
    while (picked.size < size) picked.add(this.pick(choices));
    return [...picked];
  }
}
