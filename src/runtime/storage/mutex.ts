/** A lock with one holder at a time, granted in order of arrival. */
export class Mutex {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the caller holds the lock; undefined when it was free, and the caller holds it at once. */
  acquire(): Promise<void> | undefined {
    if (!this.#held) {
      this.#held = true;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }
}
