/** Searches that may follow each other at once. */
const BURST = 3;
/** With the burst, at most twelve a minute. */
const REFILL_MS = 60_000 / 9;

/** Bounds the searches for unknown keys. What one caller uses up is soon there again for others. */
export class SearchBudget {
  readonly #clock: () => number;
  #left = BURST;
  #countedAtMs: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#countedAtMs = clock();
  }

  /** Whether there may be another search now, which is counted. */
  take(): boolean {
    const nowMs = this.#clock();
    this.#left = Math.min(BURST, this.#left + (nowMs - this.#countedAtMs) / REFILL_MS);
    this.#countedAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
