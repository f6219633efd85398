import type { EventEmitter } from 'node:events';
import { Turns, type TurnTaker } from '../async/turns.ts';
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
const REFUSALS_MS = 5;

/** The same for requests that do not wait for others. */
const OPEN_MS = 5;

/** Requests that may wait however long it takes, because the first ones after a start are slow. */
const ALWAYS_ADMITTED = 100;

/** Part of the places that callers of whom something waits leave to the others, however many addresses they come from. */
const OF_OTHERS = 0.1;

/** Weight of the last request in the mean time that requests take. */
const LAST_WEIGHT = 0.05;

/** Made once: a refusal must cost little. */
export const OVERLOADED = new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is overloaded.' });

/** The response to a request. `destroyed`: its connection has ended. */
export interface PressedResponse extends EventEmitter {
  readonly destroyed: boolean;
}

/** What may become of a request. */
export interface Choice {
  /** Whom it waits behind if it must wait. */
  readonly caller: string;
  start(): void;
  refuse(error: ApiError): void;
  /** Whether it takes one of the places for requests; one whose body is still on its way has none until that is there. */
  readonly isPlaced: boolean;
}

/**
 * The one queue for all work that callers ask for: requests, bodies that have arrived and frames of sockets. It is done in
 * turns of the event loop, one caller after the other where anybody waits. Requests that cannot be processed soon are
 * refused before they cost anything: an overloaded server would spend its time on those whose callers have given up.
 */
export class Pressure {
  readonly #limits: PressureLimits;
  readonly #clock: () => number;
  readonly #turns: Turns;
  readonly #refusals: Turns;
  readonly #open: Turns;
  #concurrent = 0;
  /** When the last request was processed while others waited. */
  #lastMs: number | undefined;
  /** From one of the waiting requests to the next. */
  #meanMs = 0;

  constructor(limits: PressureLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
    this.#turns = new Turns(TURN_MS, clock);
    this.#refusals = new Turns(REFUSALS_MS, clock);
    this.#open = new Turns(OPEN_MS, clock);
  }

  get concurrent(): number {
    return this.#concurrent;
  }

  /** Whether a request may be processed at once; then it is counted. This is all that most requests need. */
  takes(response: PressedResponse): boolean {
    if (this.#concurrent >= this.#limits.maxConcurrent || !this.#turns.hasTime()) return false;
    this.place(response);
    return true;
  }

  /** Starts a request at once if it can be taken, else in a later turn; or refuses it. */
  admit(response: PressedResponse, { caller, start, refuse, isPlaced }: Choice): void {
    if (this.#concurrent < this.#limits.maxConcurrent && !this.#isQueueTooLong(caller)) {
      if (isPlaced) this.place(response);
      if (this.#turns.hasTime()) start();
      else
        this.#wait(caller, () => {
          if (!response.destroyed) start();
        });
    } else this.refuse(response, caller, refuse);
  }

  /** Starts a request that is not to wait for others; but those of one caller do not delay all else, however many they are. */
  open(response: PressedResponse, caller: string, start: () => void): void {
    if (this.#open.hasTime()) start();
    else this.#open.add(() => response.destroyed || start(), caller);
  }

  /** Refuses a request as soon as there is time for that, one caller after the other. */
  refuse(response: PressedResponse, caller: string, refuse: Choice['refuse']): void {
    this.refuseBy(() => {
      if (!response.destroyed) refuse(OVERLOADED);
    }, caller);
  }

  /** The same for work other than requests. */
  refuseBy(refuse: () => void, caller: string): void {
    this.#refusals.add(refuse, caller);
  }

  /** Resolves when it is the caller's turn to have work done; undefined if that is now. */
  turnOf(caller: TurnTaker): Promise<void> | undefined {
    if (this.#turns.hasTime()) return undefined;
    return new Promise((resolve) => this.#wait(caller.turn ?? '', resolve));
  }

  /** Counts a request until its response or its connection has ended. */
  place(response: PressedResponse): void {
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

  /**
   * Judges by how fast those before are processed. A caller waits for its own, and for as many of each other caller. Nobody
   * has more places than are left, and the last ones are for callers who wait for nothing.
   */
  #isQueueTooLong(caller: string): boolean {
    const { size, callers } = this.#turns.waiting;
    if (size < ALWAYS_ADMITTED) return false;
    const own = this.#turns.waiting.sizeOf(caller);
    if (own >= this.#limits.maxConcurrent * (own > 0 ? 1 - OF_OTHERS : 1) - this.#concurrent) return true;
    const before = own === 0 ? callers : Math.min(size, own * callers);
    return before * this.#meanMs > this.#limits.maxWaitMs;
  }

  #wait(caller: string, start: () => void): void {
    this.#turns.add(() => {
      this.#measure();
      start();
    }, caller);
  }

  #measure(): void {
    const nowMs = this.#clock();
    if (this.#lastMs !== undefined) this.#meanMs += (nowMs - this.#lastMs - this.#meanMs) * LAST_WEIGHT;
    this.#lastMs = this.#turns.waiting.size > 0 ? nowMs : undefined;
  }
}
