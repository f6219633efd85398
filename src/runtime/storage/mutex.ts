/** Lets one holder in at a time, in order of arrival. */
export class Mutex {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the lock is the caller's; undefined at once when it is free. */
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
