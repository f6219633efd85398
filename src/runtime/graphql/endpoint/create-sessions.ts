import type { Access } from '../../../descriptor/access.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { callerAmong } from '../../auth/credentials.ts';
import type { Credentials, Identification } from '../../auth/identification.ts';
import type { Principal } from '../../auth/principal.ts';
import type { CredentialsRequest } from '../../auth/security-handler.ts';
import type { Log } from '../../engine/interface/call.ts';
import { type AdmittedCaller, admit } from '../../engine/interface/door.ts';
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
  readonly #admitted = new Map<Access, AdmittedCaller>();

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

  admit(access: Access): AdmittedCaller {
    const known = this.#admitted.get(access);
    if (known) return known;
    const principal = principalFor(access, this.#credentials);
    const admitted = admit(access, { principal, requestId: this.requestId, log: this.log });
    this.#admitted.set(access, admitted);
    return admitted;
  }

  callerFor(access: Access): AdmittedCaller {
    const admitted = this.#admitted.get(access);
    if (admitted) return admitted;
    if (access.anyOf.length === 0) return this.admit(access);
    throw new Error('A field was resolved before its policy had let the caller in.');
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
