/** What ends work from outside, once. Its signal is made when it is read first: most work looks at none. */
export class Ending {
  readonly #stops = new Set<(reason: unknown) => void>();
  #controller: AbortController | undefined;
  #isOver = false;
  #reason: unknown;

  get isOver(): boolean {
    return this.#isOver;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const stop of this.#stops) stop(reason);
  }

  /** Settles as the work does, unless it is ended before: then it rejects with the reason, whatever the work does. */
  until<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) reject(this.#reason);
      else this.#stops.add(reject);
      void work.then(resolve, reject).then(() => this.#stops.delete(reject));
    });
  }
}
