import type { Access } from '../../descriptor/access.ts';
import type { AdmittedCaller } from '../engine/access/door.ts';
import type { Log } from '../engine/interface/call.ts';
import type { Consistency } from '../engine/interface/consistency.ts';
import type { ApiError } from '../errors/api-error.ts';

/** The caller of a request or a socket, over any transport. */
export interface Session {
  readonly requestId: string;
  readonly log: Log;
  /**
   * Admits the caller for one access, by the credentials that it names. Credentials of one scheme never satisfy another.
   * Throws `UNAUTHENTICATED`, `FORBIDDEN`.
   */
  admit(access: Access): AdmittedCaller;
  /** The caller admitted for an access; anyone is, if it is public. Throws an internal error for any other caller. */
  callerFor(access: Access): AdmittedCaller;
  /** The subject of the caller; undefined: anonymous. */
  readonly subject: string | undefined;
  /** When the first of the credentials expires, in milliseconds since the epoch; undefined: anonymous. */
  readonly expiresAtMs?: number | undefined;
  /** Why some of the credentials are not valid. */
  readonly refusal?: ApiError | undefined;
  /** The request's `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
  /** What the request must see, and the commits that it has made. */
  readonly consistency?: Consistency | undefined;
}
