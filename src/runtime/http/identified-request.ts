import { IncomingMessage } from 'node:http';
import type { Pipeline } from './pipeline.ts';
import { newRequestId } from './request-id.ts';

/** Ids that are safe in logs, headers and JSON. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** So many chunks may be of any size. */
const FREE_CHUNKS = 1_000;

/** Bytes that the others must have in the mean: each costs as much as many bytes. */
const MIN_CHUNK_BYTES = 64;

/** A request that has one id wherever it is asked for it. */
export class IdentifiedRequest extends IncomingMessage {
  /** The requests of its connection. */
  pipeline: Pipeline | undefined;
  /** Called when its whole body is about to be worked on. */
  onBodyTaken: (() => void) | undefined;
  /** Called once its body comes in far more chunks than it needs; nothing more of that is taken. Undefined where it has none. */
  onFineChunks: (() => void) | undefined;
  #id: string | undefined;
  #chunks = 0;
  #chunkedBytes = 0;
  #isRefused = false;

  /** Node calls it for each part of the body. */
  override push(part: Buffer | null): boolean {
    if (this.onFineChunks && this.#isTooFine(part)) return true;
    return super.push(part);
  }

  /** The caller's `X-Request-Id` if it is safe, so that a request has the same id in all services; else a new id. */
  get requestId(): string {
    this.#id ??= givenId(this) ?? newRequestId();
    return this.#id;
  }

  #isTooFine(part: Buffer | null): boolean {
    if (this.#isRefused || part === null) return this.#isRefused;
    this.#chunks++;
    this.#chunkedBytes += part.length;
    this.#isRefused = this.#chunkedBytes < (this.#chunks - FREE_CHUNKS) * MIN_CHUNK_BYTES;
    if (this.#isRefused) this.onFineChunks!();
    return this.#isRefused;
  }
}

/** The id of a request; of one that did not come over a socket, a new one each time if it has none. */
export const requestIdOf = (request: IncomingMessage): string =>
  request instanceof IdentifiedRequest ? request.requestId : (givenId(request) ?? newRequestId());

function givenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : undefined;
}
