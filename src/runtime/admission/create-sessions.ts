import type { Access } from '../../descriptor/access.ts';
import { callerKey } from '../async/caller-key.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { callerAmong } from '../auth/credentials.ts';
import { type Identification, schemeNames } from '../auth/identification.ts';
import type { Principal } from '../auth/principal.ts';
import type { Credentials } from '../auth/read-credentials.ts';
import { type AdmittedCaller, createDoor, type Door } from '../engine/access/door.ts';
import type { Log } from '../engine/interface/call.ts';
import { Consistency } from '../engine/interface/consistency.ts';
import type { ApiError } from '../errors/api-error.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { type Arrival, admitting, type ReplyHead } from './admit.ts';
import type { Session } from './session.ts';

/**
 * Reads the credentials of a request and counts it; may be synchronous. Without a head, it is not counted: each operation of a
 * socket is. Rejects when credentials cannot be verified at the moment, and with `TOO_MANY_REQUESTS`.
 */
export type OpenSession = (arrival: Arrival, head?: ReplyHead) => MaybePromise<OpenedSession>;

/** A session of a request of its own, or of a socket, each of whose operations has one. */
export interface OpenedSession extends Session {
  /** Whose turn it is where work waits: its subject's, or if anonymous that of its network. */
  readonly turn: string;
  /** The same caller with another operation: what it must see, and has committed, is its own. */
  ofOperation(): OpenedSession;
  /** Counts an operation. Throws, or rejects with, `TOO_MANY_REQUESTS`. */
  count(): MaybePromise<unknown>;
}

/** Finds the caller for one access among a request's credentials. Throws `UNAUTHENTICATED` if they are not valid. */
type FindPrincipal = (credentials: Credentials) => Principal | undefined;

/** What admits callers for an access, decided at boot. */
interface Entry {
  readonly findPrincipal: FindPrincipal;
  readonly door: Door;
}

/** What all sessions are opened with. */
interface Opening {
  readonly entries: ReadonlyMap<Access, Entry>;
  readonly limiter: RateLimiter | undefined;
}

/** Opens sessions that may be admitted for any of the accesses. */
export function createSessions(
  identification: Identification,
  accesses: readonly Access[],
  limiter: RateLimiter | undefined,
): OpenSession {
  const identify = identification.all(accesses);
  const entries = accesses.map((access): [Access, Entry] => [
    access,
    { findPrincipal: principalFinder(access), door: createDoor(access) },
  ]);
  const opening = { entries: new Map(entries), limiter };
  const enter = (credentials: Credentials, arrival: Arrival) => new RequestSession(arrival, credentials, opening);
  const open = admitting({ identify, limiter, enter });
  return (arrival, head) =>
    head ? open(arrival, head) : whenKnown(identify(arrival), (credentials) => enter(credentials, arrival));
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
  readonly subject: string | undefined;
  readonly #arrival: Arrival;
  readonly #credentials: Credentials;
  readonly #opening: Opening;
  readonly #admitted = new Map<Access, AdmittedCaller>();

  constructor(arrival: Arrival, credentials: Credentials, opening: Opening) {
    const { id, log, headers } = arrival;
    this.#arrival = arrival;
    this.subject = credentials.subject;
    this.requestId = id;
    this.log = log;
    const key = headers['idempotency-key'];
    this.idempotencyKey = key === undefined ? undefined : readIdempotencyKey(key);
    const token = headers['consistency-token'];
    if (token !== undefined) this.consistency.ask(token);
    this.#credentials = credentials;
    this.#opening = opening;
  }

  ofOperation(): OpenedSession {
    return new RequestSession(this.#arrival, this.#credentials, this.#opening);
  }

  count(): MaybePromise<unknown> {
    return this.#opening.limiter?.take({ subject: this.subject, address: this.#arrival.ip });
  }

  get turn(): string {
    return callerKey({ subject: this.subject, address: this.#arrival.ip });
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
    const entry = this.#opening.entries.get(access);
    if (!entry) throw new Error('A field asks for an access that sessions were not opened for.');
    const principal = entry.findPrincipal(this.#credentials);
    const admitted = entry.door(principal, this.#arrival, this.consistency, this.subject);
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
