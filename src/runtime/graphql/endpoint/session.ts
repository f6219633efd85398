import type { Access } from '../../../descriptor/access.ts';
import type { Caller, Log } from '../../engine/interface/call.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** Who asks over one request or socket, whatever transport carries it. */
export interface Session {
  readonly requestId: string;
  readonly log: Log;
  /**
   * The caller by the credentials that an access names: one kind never opens what asks for another.
   * Throws `UNAUTHENTICATED` when they are not valid.
   */
  callerFor(access: Access): Caller;
  /** Whom the credentials name; undefined: anonymous. */
  readonly subject: string | undefined;
  /** When the first of the credentials ends, in milliseconds since the epoch; undefined: anonymous. */
  readonly expiresAtMs?: number | undefined;
  /** Why some of the credentials are not valid. */
  readonly refusal?: ApiError | undefined;
  /** The request's `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}
