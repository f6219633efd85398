import type { Access } from '../../../descriptor/access.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { callerAmong } from '../../auth/credentials.ts';
import { type Credentials, type Identification, schemeNames } from '../../auth/identification.ts';
import type { Principal } from '../../auth/principal.ts';
import type { CredentialsRequest } from '../../auth/security-handler.ts';
import { type AdmittedCaller, admit } from '../../engine/access/door.ts';
import type { Log } from '../../engine/interface/call.ts';
import { Consistency } from '../../engine/interface/consistency.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { callerKey } from '../../http/caller-key.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import { RequestCaller } from '../../http/request-caller.ts';
import type { Session } from './session.ts';

/** The parts of a request that a session is created from. */
export interface SessionRequest extends CredentialsRequest {
  readonly id: string;
  readonly ip: string;
  readonly log: Log;
}

/** Reads the credentials of a request; may be synchronous. Rejects when they cannot be verified at the moment. */
export type OpenSession = (request: SessionRequest) => MaybePromise<OpenedSession>;

/** A session of a request of its own, or of a socket, each of whose operations has one. */
export interface OpenedSession extends Session {
  /** Whose turn it is where work waits: its subject's, or if anonymous that of its network. */
  readonly turn: string;
  /** The same caller with another operation: what it must see, and has committed, is its own. */
  ofOperation(): Session;
}

/** Finds the caller for one access among a request's credentials. Throws `UNAUTHENTICATED` if they are not valid. */
type FindPrincipal = (credentials: Credentials) => Principal | undefined;

type PrincipalFinders = ReadonlyMap<Access, FindPrincipal>;

/** Opens sessions that may be admitted for any of the accesses. */
export function createSessions(identification: Identification, accesses: readonly Access[]): OpenSession {
  const identify = identification.all(accesses);
  const finders: PrincipalFinders = new Map(accesses.map((access) => [access, principalFinder(access)]));
  return (request) => whenKnown(identify(request), (credentials) => new RequestSession(request, credentials, finders));
}

/** Finds callers as REST does: none where access is public, else by the credentials that the access names alone. */
function principalFinder(access: Access): FindPrincipal {
  const names = schemeNames(access);
  const [first] = names;
  if (first === undefined) return () => undefined;
  return ({ identified, refused }) => {
    const principal = names.length === 1 ? identified.get(first) : callerAmong(access, identified);
    if (principal || refused.size === 0) return principal;
    for (const name of names) if (refused.has(name)) throw refused.get(name)!;
    return undefined;
  };
}

class RequestSession implements OpenedSession {
  readonly requestId: string;
  readonly log: Log;
  readonly idempotencyKey: string | undefined;
  readonly consistency = new Consistency();
  readonly #request: SessionRequest;
  readonly #credentials: Credentials;
  readonly #finders: PrincipalFinders;
  readonly #admitted = new Map<Access, AdmittedCaller>();

  constructor(request: SessionRequest, credentials: Credentials, finders: PrincipalFinders) {
    const { id, log, headers } = request;
    this.#request = request;
    this.requestId = id;
    this.log = log;
    this.idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
    this.consistency.ask(headers['consistency-token']);
    this.#credentials = credentials;
    this.#finders = finders;
  }

  ofOperation(): Session {
    return new RequestSession(this.#request, this.#credentials, this.#finders);
  }

  get subject(): string | undefined {
    return this.#credentials.identified.values().next().value?.subject;
  }

  get turn(): string {
    return callerKey({ subject: this.subject, address: this.#request.ip });
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
    const findPrincipal = this.#finders.get(access);
    if (!findPrincipal) throw new Error('A field asks for an access that sessions were not opened for.');
    const principal = findPrincipal(this.#credentials);
    const admitted = admit(access, new RequestCaller(this.#request, principal, this.consistency, this.subject));
    this.#admitted.set(access, admitted);
    return admitted;
  }

  callerFor(access: Access): AdmittedCaller {
    const admitted = this.#admitted.get(access);
    if (admitted) return admitted;
    if (access.anyOf.length === 0) return this.admit(access);
    throw new Error('A field was resolved before its policy had admitted the caller.');
  }
}
