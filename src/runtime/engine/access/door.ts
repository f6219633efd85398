import type { Access } from '../../../descriptor/access.ts';
import { callerKey } from '../../async/caller-key.ts';
import { type MaybePromise, withError } from '../../async/maybe-promise.ts';
import { createAuthorizer } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Caller, Log } from '../interface/call.ts';
import type { Consistency } from '../interface/consistency.ts';
import { unavailable } from '../interface/store-failure.ts';

/** The request of a caller, as far as it is known before anything of it is read. */
interface Sent {
  readonly id: string;
  readonly log: Log;
  /** Left out where a caller never waits for a turn. */
  readonly ip?: string;
}

/** A caller who has been authorized for one access. Only a door creates it. */
export class AdmittedCaller implements Caller {
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Log;
  readonly consistency: Consistency | undefined;
  readonly access: Access;
  readonly #sent: Sent;
  readonly #subject: string | undefined;

  constructor(
    access: Access,
    principal: Principal | undefined,
    sent: Sent,
    consistency: Consistency | undefined,
    subject: string | undefined,
  ) {
    this.access = access;
    this.principal = principal;
    this.requestId = sent.id;
    this.log = sent.log;
    this.consistency = consistency;
    this.#sent = sent;
    this.#subject = subject;
  }

  /** The same caller, with the same turns, behind another door. */
  for(access: Access): AdmittedCaller {
    return new AdmittedCaller(access, this.principal, this.#sent, this.consistency, this.#subject);
  }

  get turn(): string | undefined {
    const { ip } = this.#sent;
    return ip === undefined ? undefined : callerKey({ subject: this.#subject, address: ip });
  }
}

/**
 * Authorizes callers for one access. Every protocol has its callers pass a door before it decodes a request. `subject`: whose
 * turns a caller has, if the operation itself asks for no credentials. Throws `UNAUTHENTICATED` or `FORBIDDEN`.
 */
export type Door = (
  principal: Principal | undefined,
  sent: Sent,
  consistency?: Consistency,
  subject?: string,
) => AdmittedCaller;

export function createDoor(access: Access): Door {
  const authorizeFor = access.anyOf.length === 0 ? undefined : createAuthorizer(access);
  return (principal, sent, consistency, subject = principal?.subject) => {
    authorizeFor?.(principal);
    return new AdmittedCaller(access, principal, sent, consistency, subject);
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
