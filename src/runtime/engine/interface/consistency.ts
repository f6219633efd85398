import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Moment } from '../../storage/moment.ts';

const TOKEN = /^([ps])([\da-z]{1,13})$/;

/** Whether this is a token, or none is given. */
export const isToken = (given: unknown): boolean =>
  given === undefined || given === null || (typeof given === 'string' && TOKEN.test(given));

/**
 * What one request must see, and what it has done itself. A token stands for a moment: the answer of a write has one, and
 * whoever sends it with a read sees that write, and all before it.
 */
export class Consistency {
  #asked: Moment | undefined;
  #reached: Moment | undefined;

  /** Adds what a token stands for to what must be seen. Throws `VALIDATION_FAILED` for what is not a token. */
  ask(token: unknown): void {
    if (token === undefined || token === null) return;
    this.#asked = later(this.#asked, momentOf(token));
  }

  /** The request's transaction was committed before this moment. */
  committed(moment: Moment): void {
    this.#reached = later(this.#reached, moment);
  }

  /**
   * The position in a history that the request must see; 0: any. Tokens of another history are from another database, whose
   * moments mean nothing here.
   */
  positionIn(history: Moment['history']): bigint {
    if (!this.#asked && !this.#reached) return 0n;
    const moments = [this.#asked, this.#reached].filter((one) => one?.history === history);
    return moments.reduce((latest, one) => (one!.position > latest ? one!.position : latest), 0n);
  }

  /** The token of the last commit; undefined: nothing was committed. */
  get token(): string | undefined {
    return this.#reached && `${this.#reached.history}${this.#reached.position.toString(36)}`;
  }
}

function later(one: Moment | undefined, other: Moment): Moment {
  return one && one.history === other.history && one.position > other.position ? one : other;
}

function momentOf(token: unknown): Moment {
  const [, history, digits] = (typeof token === 'string' && TOKEN.exec(token)) || [];
  if (history === undefined) throw notAToken();
  let position = 0n;
  for (const digit of digits!) position = position * 36n + BigInt(Number.parseInt(digit, 36));
  return { history: history as Moment['history'], position };
}

function notAToken(): ApiError {
  const detail = 'must be the token of an answer';
  return new ApiError('VALIDATION_FAILED', {
    detail: 'The request does not match the contract.',
    errors: [{ header: CONSISTENCY_TOKEN, detail }],
  });
}
