import type { EventEmitter } from 'node:events';
import { ApiError } from '../errors/api-error.ts';

export interface PressureLimits {
  /** Requests that are processed at the same time. */
  readonly maxConcurrent: number;
  /** Duration of a turn of the event loop after which further requests of that turn are refused. */
  readonly maxTurnMs: number;
}

export const NO_LIMITS: PressureLimits = {
  maxConcurrent: Number.POSITIVE_INFINITY,
  maxTurnMs: Number.POSITIVE_INFINITY,
};

/** Requests of one turn that are admitted however long it takes, because the first requests after a start are slow. */
const ALWAYS_ADMITTED = 100;

/**
 * Refuses requests that cannot be answered soon, before they cost anything. Without it, an overloaded server would
 * spend its time on requests whose callers have given up.
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

  /** Counts a request until its response or its connection has ended. Returns an error if it must be refused. */
  admit(response: EventEmitter): ApiError | undefined {
    if (this.#concurrent >= this.#limits.maxConcurrent) return overloaded();
    if (this.#isTurnTooLong()) return overloaded();
    this.#concurrent++;
    response.on('close', this.#ended);
    return undefined;
  }

  /** Stops counting a request whose response has become a stream, which lasts as long as the caller likes. */
  release(response: EventEmitter): void {
    if (!response.listeners('close').includes(this.#ended)) return;
    response.off('close', this.#ended);
    this.#ended();
  }

  /** One listener for all responses: a response is counted if it has this listener. */
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
    if (++this.#turn.requests <= ALWAYS_ADMITTED) return false;
    return this.#clock() - this.#turn.begunMs > this.#limits.maxTurnMs;
  }
}

const overloaded = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is overloaded.', headers: { 'retry-after': '1' } });
