import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import { ApiError } from '../../errors/api-error.ts';

const TOKEN = /^[ps][\da-z]{1,13}$/;

export const isToken = (given: unknown): given is string => typeof given === 'string' && TOKEN.test(given);

/** What a request must see. Commits that reach the log together have one position, and come to be seen one after the other. */
export interface Moment {
  /** 0: anything will do. */
  readonly position: bigint;
  /** What asked for it; undefined where the request itself has committed something. */
  readonly tokens: string | undefined;
}

/** Whoever asks for nothing. */
export const ANY_MOMENT: Moment = { position: 0n, tokens: '' };

/** Whether what was read at, or after, one moment has all that another one stands for. */
export function covers(seen: Moment, asked: Moment): boolean {
  if (asked.position === 0n || seen.position > asked.position) return true;
  return seen.position === asked.position && asked.tokens !== undefined && seen.tokens === asked.tokens;
}

/**
 * What one request must see, and what it has done itself. A token stands for a moment: the answer of a write has one, and
 * whoever sends it with a read sees that write, and all before it.
 */
export class Consistency {
  #unread: readonly string[] = NOTHING;
  #tokens = '';
  #asked = 0n;
  #reached = 0n;
  #positions: PositionCodec | undefined;

  /** Adds what a token stands for to what must be seen. Throws `VALIDATION_FAILED` for what is not a token. */
  ask(token: unknown): void {
    if (token === undefined || token === null) return;
    if (!isToken(token)) throw notAToken();
    this.#unread = [...this.#unread, token];
    this.#tokens += token;
  }

  /** All that is committed must be seen, whoever has committed it. */
  askCurrent(): void {
    this.#asked = LAST_POSITION;
  }

  /** The request's transaction was committed before this position. */
  committed(position: bigint, positions: PositionCodec): void {
    this.#reached = later(this.#reached, position);
    this.#positions = positions;
  }

  /** What the request must see, distinct from other moments at the same position. */
  momentIn(positions: PositionCodec): Moment {
    for (const token of this.#unread) this.#asked = later(this.#asked, positions.decode(token));
    this.#unread = NOTHING;
    return {
      position: later(this.#asked, this.#reached),
      tokens: this.#positions || this.#asked === LAST_POSITION ? undefined : this.#tokens,
    };
  }

  /** A token of the last commit; undefined: nothing was committed. */
  get token(): string | undefined {
    return this.#positions?.encode(this.#reached);
  }
}

/** Beyond all that a database may reach: no standby has it. */
const LAST_POSITION = 2n ** 63n - 1n;

const NOTHING: readonly string[] = [];
const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function notAToken(): ApiError {
  const detail = 'must be the token of an answer';
  return new ApiError('VALIDATION_FAILED', {
    detail: 'The request does not match the contract.',
    errors: [{ header: CONSISTENCY_TOKEN, detail }],
  });
}

/** Writes positions in the history of a database as tokens; a token of another history is position 0, which asks for nothing. */
export interface PositionCodec {
  encode(position: bigint): string;
  decode(token: string): bigint;
}

/** Where every read sees every write. */
export const ONE_POSITION: PositionCodec = { encode: () => 's0', decode: () => 0n };
