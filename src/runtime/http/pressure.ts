import type { EventEmitter } from 'node:events';
import { ApiError } from '../errors/api-error.ts';

export interface PressureLimits {
  /** Requests that are being answered at once. */
  readonly maxConcurrent: number;
  /** Milliseconds of work in one turn of the event loop beyond which what waits is refused. */
  readonly maxTurnMs: number;
}

export const NO_LIMITS: PressureLimits = {
  maxConcurrent: Number.POSITIVE_INFINITY,
  maxTurnMs: Number.POSITIVE_INFINITY,
};

/** So many requests of one turn are answered however long it takes: the first ones after a start are slow. */
const ALWAYS_ANSWERED = 100;

/**
 * Refuses what cannot be answered soon, while saying so is still cheap: under load, requests that have all waited too
 * long would use up what the others need.
 */
export class Pressure {
  readonly #limits: PressureLimits;
  readonly #clock: () => number;
  #concurrent = 0;
  #turn: { readonly begunMs: number; requests: number } | undefined;

  constructor(limits: PressureLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get concurrent(): number {
    return this.#concurrent;
  }

  /** Counts a request until its answer has ended, or its connection has; why it must be refused. */
  admit(response: EventEmitter): ApiError | undefined {
    if (this.#concurrent >= this.#limits.maxConcurrent) return overloaded();
    if (this.#isTurnTooLong()) return overloaded();
    this.#concurrent++;
    response.on('close', this.#ended);
    return undefined;
  }

  /** The answer has become a stream, which goes on for as long as the caller likes: it counts no more. */
  release(response: EventEmitter): void {
    if (!response.listeners('close').includes(this.#ended)) return;
    response.off('close', this.#ended);
    this.#ended();
  }

  /** The same for all answers: the one that has it as its listener is counted. */
  readonly #ended = (): void => {
    this.#concurrent--;
  };

  #isTurnTooLong(): boolean {
    if (!this.#turn) {
      this.#turn = { begunMs: this.#clock(), requests: 0 };
      setImmediate(() => {
        this.#turn = undefined;
      });
    }
    if (++this.#turn.requests <= ALWAYS_ANSWERED) return false;
    return this.#clock() - this.#turn.begunMs > this.#limits.maxTurnMs;
  }
}

const overloaded = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is overloaded.', headers: { 'retry-after': '1' } });
