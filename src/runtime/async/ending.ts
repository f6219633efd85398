/** What ends work from outside, once. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #stops = new Set<(reason: unknown) => void>();

  get isOver(): boolean {
    return this.signal.aborted;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.isOver) return;
    this.#controller.abort(reason);
    for (const stop of this.#stops) stop(reason);
  }

  /** Settles as the work does, unless it is ended before: then it rejects with the reason, whatever the work does. */
  until<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.isOver) reject(this.reason);
      else this.#stops.add(reject);
      void work.then(resolve, reject).then(() => this.#stops.delete(reject));
    });
  }
}
