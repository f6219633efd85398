import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import type { Pipeline } from './pipeline.ts';

/** Ids that are safe in logs, headers and JSON. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** A request that has one id wherever it is asked for it. */
export class IdentifiedRequest extends IncomingMessage {
  /** The requests of its connection. */
  pipeline: Pipeline | undefined;
  /** Called when its whole body is about to be worked on. */
  onBodyTaken: (() => void) | undefined;
  #id: string | undefined;

  /** The caller's `X-Request-Id` if it is safe, so that a request has the same id in all services; else a new id. */
  get requestId(): string {
    this.#id ??= givenId(this) ?? newRequestId();
    return this.#id;
  }
}

/** The id of a request; of one that did not come over a socket, a new one each time if it has none. */
export const requestIdOf = (request: IncomingMessage): string =>
  request instanceof IdentifiedRequest ? request.requestId : (givenId(request) ?? newRequestId());

function givenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : undefined;
}

/** Length of a new id. */
const DIGITS = 32;
/** Ids that are generated together: a call of `randomBytes` costs much more than its bytes. */
const BATCH = 256;

let digits = '';
let used = 0;

/** A new id: 128 random bits in hexadecimal. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes((BATCH * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return digits.slice(used - DIGITS, used);
}
