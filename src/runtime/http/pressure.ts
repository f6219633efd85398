import type { EventEmitter } from 'node:events';
import { Turns } from '../async/turns.ts';
import { ApiError } from '../errors/api-error.ts';

export interface PressureLimits {
  /** Requests that are processed, or wait for it, at the same time. */
  readonly maxConcurrent: number;
  /** How long requests may wait to be processed. */
  readonly maxWaitMs: number;
}

export const NO_LIMITS: PressureLimits = {
  maxConcurrent: Number.POSITIVE_INFINITY,
  maxWaitMs: Number.POSITIVE_INFINITY,
};

/** Time for processing requests in one turn of the event loop; the others wait for the next. */
const TURN_MS = 25;

/**
 * Time for refusing requests in one turn. A refusal costs as much as a small answer, and some clients ask again at once:
 * they must not keep the server from what it has admitted.
 */
const REFUSALS_MS = 10;

/** Requests that may wait however long it takes, because the first ones after a start are slow. */
const ALWAYS_ADMITTED = 100;

/** Weight of the last request in the mean time that requests take. */
const LAST_WEIGHT = 0.05;

/** Made once: a refusal must cost little. */
const OVERLOADED = new ApiError('SERVICE_UNAVAILABLE', {
  detail: 'The server is overloaded.',
  headers: { 'retry-after': '1' },
});

/** The response to a request. `destroyed`: its connection has ended. */
export interface PressedResponse extends EventEmitter {
  readonly destroyed: boolean;
}

/** What may become of a request. */
export interface Choice {
  start(): void;
  refuse(error: ApiError): void;
  /** A refusal does not wait for its turn: the connection is closed, because the body of the request is not read. */
  readonly isAnsweredAtOnce: boolean;
}

/**
 * Processes requests in turns of the event loop, and refuses those that cannot be processed soon, before they cost
 * anything. Without it, an overloaded server would spend its time on requests whose callers have given up.
 */
export class Pressure {
  readonly #limits: PressureLimits;
  readonly #clock: () => number;
  readonly #turns: Turns;
  readonly #refusals: Turns;
  #concurrent = 0;
  #waiting = 0;
  /** When this turn of the event loop got its first request. */
  #begunMs: number | undefined;
  /** When the last request was processed while others waited. */
  #lastMs: number | undefined;
  /** From one of the waiting requests to the next. */
  #meanMs = 0;

  constructor(limits: PressureLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
    this.#turns = new Turns(TURN_MS, clock);
    this.#refusals = new Turns(REFUSALS_MS, clock);
  }

  get concurrent(): number {
    return this.#concurrent;
  }

  /**
   * Whether a request may be processed at once: none waits, and this turn has time for it. Counts it then until its
   * response or its connection has ended. This is all that most requests need.
   */
  takes(response: PressedResponse): boolean {
    if (this.#waiting > 0 || this.#concurrent >= this.#limits.maxConcurrent || !this.#hasTime()) return false;
    this.#count(response);
    return true;
  }

  /** Starts a request at once if it can be taken, else in a later turn; or refuses it. */
  admit(response: PressedResponse, { start, refuse, isAnsweredAtOnce }: Choice): void {
    if (this.takes(response)) start();
    else if (this.#concurrent < this.#limits.maxConcurrent && !this.#isQueueTooLong()) {
      this.#count(response);
      this.#wait(response, start);
    } else if (isAnsweredAtOnce) refuse(OVERLOADED);
    else
      this.#refusals.add(() => {
        if (!response.destroyed) refuse(OVERLOADED);
      });
  }

  #count(response: PressedResponse): void {
    this.#concurrent++;
    response.on('close', this.#ended);
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

  #hasTime(): boolean {
    const nowMs = this.#clock();
    if (this.#begunMs === undefined) {
      this.#begunMs = nowMs;
      setImmediate(() => {
        this.#begunMs = undefined;
      });
    }
    return nowMs - this.#begunMs < TURN_MS;
  }

  /** Judges by how fast those before are processed. */
  #isQueueTooLong(): boolean {
    return this.#waiting >= ALWAYS_ADMITTED && this.#waiting * this.#meanMs > this.#limits.maxWaitMs;
  }

  #wait(response: PressedResponse, start: () => void): void {
    this.#waiting++;
    this.#turns.add(() => {
      this.#waiting--;
      this.#measure();
      if (!response.destroyed) start();
    });
  }

  #measure(): void {
    const nowMs = this.#clock();
    if (this.#lastMs !== undefined) this.#meanMs += (nowMs - this.#lastMs - this.#meanMs) * LAST_WEIGHT;
    this.#lastMs = this.#waiting > 0 ? nowMs : undefined;
  }
}
