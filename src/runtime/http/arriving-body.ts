import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.ts';
import type { BodyRoom } from './bodies-under-way.ts';
import { toApiError } from './framework-error.ts';
import { OVERLOADED } from './pressure.ts';

/** A longer body is put together while it arrives: its parts would take as much memory again. */
const MAX_PARTS_LENGTH = 65_536;

/** A body that does not come with its head. */
export class ArrivingBody {
  readonly #limit: number;
  readonly #declared: number | undefined;
  readonly #room: BodyRoom | undefined;
  #whole: Buffer | undefined;
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** `declared`: its length by `Content-Length`. */
  constructor(limit: number, declared: number | undefined, room: BodyRoom | undefined) {
    this.#limit = limit;
    this.#declared = declared;
    this.#room = room;
  }

  /**
   * Calls `done` once, with `CONTENT_TOO_LARGE` or `MALFORMED_REQUEST` if the body cannot be had as a whole, and
   * `SERVICE_UNAVAILABLE` if other bodies leave too little room for it.
   */
  read(payload: IncomingMessage, done: (error?: ApiError<string>) => void): void {
    if (this.#declared !== undefined && this.#declared > this.#limit) {
      done(tooLarge(this.#limit));
      return;
    }
    if (this.#room?.widen(this.#declared ?? this.#limit) === false) {
      done(OVERLOADED);
      return;
    }
    if (this.#declared !== undefined && this.#declared > MAX_PARTS_LENGTH)
      this.#whole = Buffer.allocUnsafeSlow(this.#declared);
    const end = (error?: ApiError<string>): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      done(error);
    };
    const onData = (part: Buffer): void => {
      if (this.#length + part.length > this.#limit) end(tooLarge(this.#limit));
      else this.#add(part);
    };
    const onEnd = (): void => end(this.#isWhole() ? undefined : wrongLength());
    const onError = (cause: Error): void => end(toApiError(cause));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  }

  /** All of it, to be worked on. */
  bytes(): Buffer {
    this.#room?.worked();
    return this.#whole ?? Buffer.concat(this.#parts, this.#length);
  }

  #add(part: Buffer): void {
    if (this.#whole) part.copy(this.#whole, this.#length);
    else this.#parts.push(part);
    this.#length += part.length;
  }

  #isWhole(): boolean {
    return this.#declared === undefined || this.#declared === this.#length;
  }
}

const tooLarge = (limit: number): ApiError =>
  new ApiError('CONTENT_TOO_LARGE', { detail: `The body is larger than the ${limit} bytes that are accepted here.` });

const wrongLength = (): ApiError =>
  new ApiError('MALFORMED_REQUEST', { detail: 'The length of the body is not that of Content-Length.' });
