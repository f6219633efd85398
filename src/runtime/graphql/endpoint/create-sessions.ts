import type { Access } from '../../../descriptor/access.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { callerAmong } from '../../auth/credentials.ts';
import type { Credentials, Identification } from '../../auth/identification.ts';
import type { Principal } from '../../auth/principal.ts';
import type { CredentialsRequest } from '../../auth/security-handler.ts';
import type { Caller, Log } from '../../engine/interface/call.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import type { Session } from './session.ts';

/** What a session is made from. */
export interface SessionRequest extends CredentialsRequest {
  readonly id: string;
  readonly log: Log;
}

/** Reads the credentials of a request; at once, if it knows them. Rejects when they cannot be judged now. */
export type OpenSession = (request: SessionRequest) => MaybePromise<Session>;

/** Sessions of callers known by any of the credentials that the accesses name. */
export function createSessions(identification: Identification, accesses: readonly Access[]): OpenSession {
  const identify = identification.all(accesses);
  return (request) => whenKnown(identify(request), (credentials) => new RequestSession(request, credentials));
}

class RequestSession implements Session {
  readonly requestId: string;
  readonly log: Log;
  readonly idempotencyKey: string | undefined;
  readonly #credentials: Credentials;
  #caller: Caller | undefined;

  constructor({ id, log, headers }: SessionRequest, credentials: Credentials) {
    this.requestId = id;
    this.log = log;
    this.idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
    this.#credentials = credentials;
  }

  get subject(): string | undefined {
    return this.#credentials.identified.values().next().value?.subject;
  }

  get expiresAtMs(): number | undefined {
    const expiries = [...this.#credentials.identified.values()].map(({ expiresAtMs }) => expiresAtMs);
    return expiries.length > 0 ? Math.min(...expiries) : undefined;
  }

  get refusal(): ApiError | undefined {
    return this.#credentials.refused.values().next().value;
  }

  callerFor(access: Access): Caller {
    const principal = principalFor(access, this.#credentials);
    if (this.#caller && this.#caller.principal === principal) return this.#caller;
    this.#caller = { principal, requestId: this.requestId, log: this.log };
    return this.#caller;
  }
}

const known = new WeakMap<Access, readonly string[]>();

/** Security schemes that an access names. */
function schemesOf(access: Access): readonly string[] {
  const names = known.get(access);
  if (names) return names;
  const named = [...new Set(access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)))];
  known.set(access, named);
  return named;
}

/**
 * As REST identifies callers: by nothing where access is public, by one kind of credentials where one is named. Throws
 * `UNAUTHENTICATED` where those are not valid.
 */
function principalFor(access: Access, { identified, refused }: Credentials): Principal | undefined {
  const names = schemesOf(access);
  if (names.length === 0) return undefined;
  const principal = names.length === 1 ? identified.get(names[0]!) : callerAmong(access, identified);
  if (principal || refused.size === 0) return principal;
  for (const name of names) if (refused.has(name)) throw refused.get(name)!;
  return undefined;
}
