import type { Access } from '../../../descriptor/access.ts';
import { type MaybePromise, withError } from '../../async/maybe-promise.ts';
import { createAuthorizer } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Caller, Log } from '../interface/call.ts';
import type { Consistency } from '../interface/consistency.ts';
import { unavailable } from '../interface/store-failure.ts';

/** A caller who has been authorized for one access. Only `admit` creates it. */
class AdmittedCaller implements Caller {
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Log;
  readonly consistency: Consistency | undefined;
  readonly access: Access;
  readonly #caller: Caller;

  constructor(access: Access, caller: Caller) {
    const { principal, requestId, log, consistency } = caller;
    this.access = access;
    this.principal = principal;
    this.requestId = requestId;
    this.log = log;
    this.consistency = consistency;
    this.#caller = caller;
  }

  get turn(): string | undefined {
    return this.#caller.turn;
  }
}

export type { AdmittedCaller };

/**
 * Authorizes a caller. Every protocol calls this or `createDoor` before it decodes a request. Throws
 * `UNAUTHENTICATED` or `FORBIDDEN`.
 */
export const admit = (access: Access, caller: Caller): AdmittedCaller => createDoor(access)(caller);

/** `admit` for the callers of one operation. */
export function createDoor(access: Access): (caller: Caller) => AdmittedCaller {
  if (access.anyOf.length === 0) return (caller) => new AdmittedCaller(access, caller);
  const authorizeFor = createAuthorizer(access);
  return (caller) => {
    authorizeFor(caller.principal);
    return new AdmittedCaller(access, caller);
  };
}

/**
 * The work of an action, for callers who have been admitted for its access: any other is an internal error. Failures of the
 * database become those that a caller can act on.
 */
export function guarded<C extends { readonly caller: Caller }, T>(
  access: Access,
  work: (call: C) => MaybePromise<T>,
): (call: C) => MaybePromise<T> {
  return (call) => {
    const { caller } = call;
    if (!(caller instanceof AdmittedCaller && caller.access === access))
      throw new Error('A caller reached the engine without authorization for what it asks.');
    return withError(() => work(call), unavailable);
  };
}
