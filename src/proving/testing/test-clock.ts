/**
 * The time of a served contract: it stands still until a test moves it.
 * @example
 * import { TestClock } from 'lockstep/testing';
 *
 * const clock = new TestClock('2026-01-01T00:00:00Z');
 * clock.advance(60_000);
 * console.log(clock.now().toISOString()); // 2026-01-01T00:01:00.000Z
 */
export class TestClock {
  #nowMs: number;

  /** Throws `RangeError` for a text that is not a time. */
  constructor(start: string | Date) {
    this.#nowMs = msOf(start);
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  /** Moves the time by so many milliseconds. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Moves the time, back as well. Throws `RangeError` for a text that is not a time. */
  set(time: string | Date): void {
    this.#nowMs = msOf(time);
  }
}

function msOf(time: string | Date): number {
  const ms = new Date(time).getTime();
  if (Number.isNaN(ms)) throw new RangeError(`${String(time)} is not a time; write 2026-01-01T00:00:00Z.`);
  return ms;
}
