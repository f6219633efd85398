import type { Access } from '../../../descriptor/access.ts';
import type { Log } from '../../engine/interface/call.ts';
import type { AdmittedCaller } from '../../engine/interface/door.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** Who asks over one request or socket, whatever transport carries it. */
export interface Session {
  readonly requestId: string;
  readonly log: Log;
  /**
   * Lets the caller in for what an access allows, by the credentials that it names: one kind never opens what asks for
   * another. Throws `UNAUTHENTICATED`, `FORBIDDEN`.
   */
  admit(access: Access): AdmittedCaller;
  /** The caller whom `admit` has let in for an access; anyone, where it is public. Throws, as a fault of the server, when it has not. */
  callerFor(access: Access): AdmittedCaller;
  /** Whom the credentials name; undefined: anonymous. */
  readonly subject: string | undefined;
  /** When the first of the credentials ends, in milliseconds since the epoch; undefined: anonymous. */
  readonly expiresAtMs?: number | undefined;
  /** Why some of the credentials are not valid. */
  readonly refusal?: ApiError | undefined;
  /** The request's `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}
