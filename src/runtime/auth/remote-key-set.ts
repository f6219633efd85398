import { createPublicKey, type webcrypto } from 'node:crypto';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import { fetchJson } from './fetch-json.ts';
import { invalidToken, REFUSALS } from './invalid-token.ts';
import { algorithmsOf } from './keys.ts';

/** For finding out where the keys are, and for fetching them, together. */
const FETCH_TIMEOUT_MS = 3_000;
/** Minimum time between two fetches that are caused by an unknown `kid`. */
const SEARCH_COOLDOWN_MS = 30_000;
const KEYS_MAX_AGE_MS = 600_000;
/** While the issuer cannot be reached, keys are used up to this age: about as long as the tokens they have signed. */
const KEYS_MAX_STALE_MS = 3_600_000;
/** How long requests fail after a failed fetch before the next one is tried. */
const FAILURE_PAUSE_MS = 2_000;

/** A public key that verifies tokens. */
export interface VerificationKey {
  readonly kid: string | undefined;
  /** SPKI. */
  readonly pem: string;
  readonly algorithms: readonly string[];
}

/** Says where a key set is; asked before each fetch. Rejects when that cannot be found out. */
export type LocateKeySet = (signal: AbortSignal) => URL | Promise<URL>;

/**
 * The keys of an issuer, a JSON Web Key Set (RFC 7517). They are fetched when first needed, when they are old, and for
 * an unknown `kid`, so that a newly published key is found at once. An unknown `kid` causes at most one fetch in 30 s, so
 * that invented ones do not flood the issuer.
 */
export class RemoteKeySet {
  readonly #locate: LocateKeySet;
  readonly #clock: () => number;
  #keys: readonly VerificationKey[] = [];
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #mayFetchAtMs = Number.NEGATIVE_INFINITY;
  #maySearchAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(locate: LocateKeySet, clock: () => number) {
    this.#locate = locate;
    this.#clock = clock;
  }

  /**
   * The key for a token with these header parameters. Throws, or rejects with, `UNAUTHENTICATED` when there is no key or
   * more than one, and `SERVICE_UNAVAILABLE` when the keys cannot be fetched.
   */
  find(alg: string, kid: unknown): MaybePromise<VerificationKey> {
    const known = this.#ageMs < KEYS_MAX_AGE_MS ? this.#lookUp(alg, kid) : undefined;
    return known ?? this.#findFetching(alg, kid);
  }

  async #findFetching(alg: string, kid: unknown): Promise<VerificationKey> {
    try {
      await (this.#ageMs < KEYS_MAX_AGE_MS ? this.#search() : this.#fetch());
    } catch (error) {
      const old = this.#ageMs < KEYS_MAX_STALE_MS ? this.#lookUp(alg, kid) : undefined;
      if (old) return old;
      throw error;
    }
    const found = this.#lookUp(alg, kid);
    if (found) return found;
    throw invalidToken(REFUSALS.untrusted);
  }

  get #nowMs(): number {
    return this.#clock();
  }

  get #ageMs(): number {
    return this.#nowMs - this.#fetchedAtMs;
  }

  /** Throws `UNAUTHENTICATED` for a token that several keys could have signed and that names none of them. */
  #lookUp(alg: string, kid: unknown): VerificationKey | undefined {
    const [key, ...others] = this.#keys.filter(
      (candidate) => candidate.algorithms.includes(alg) && (kid === undefined || kid === candidate.kid),
    );
    if (others.length > 0) throw invalidToken(kid === undefined ? REFUSALS.unnamedKey : REFUSALS.sharedKid);
    return key;
  }

  /** Looks for newly published keys. Concurrent searches wait for the same fetch. */
  async #search(): Promise<void> {
    if (this.#fetching || this.#nowMs >= this.#maySearchAtMs) await this.#fetch();
  }

  /** Rejects with `SERVICE_UNAVAILABLE`. */
  async #fetch(): Promise<void> {
    if (this.#nowMs < this.#mayFetchAtMs) throw unavailable();
    this.#fetching ??= this.#load().finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  async #load(): Promise<void> {
    const isSearch = this.#ageMs < KEYS_MAX_AGE_MS;
    try {
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      this.#keys = await fetchKeys(await this.#locate(signal), signal);
    } catch (error) {
      this.#mayFetchAtMs = this.#nowMs + FAILURE_PAUSE_MS;
      throw unavailable(error);
    }
    this.#fetchedAtMs = this.#nowMs;
    if (isSearch) this.#maySearchAtMs = this.#nowMs + SEARCH_COOLDOWN_MS;
  }
}

async function fetchKeys(url: URL, signal: AbortSignal): Promise<VerificationKey[]> {
  const set = await fetchJson(url, 'application/jwk-set+json, application/json', signal);
  if (!isObject(set) || !Array.isArray(set['keys'])) throw new Error(`The answer of ${url} is not a JSON Web Key Set`);
  return set['keys'].flatMap((jwk: unknown) => verificationKey(jwk) ?? []);
}

/** Undefined for a key that is not for verifying tokens, or of a type that is not supported (RFC 7517, 5). */
function verificationKey(jwk: unknown): VerificationKey | undefined {
  if (!isObject(jwk) || !isForVerification(jwk)) return undefined;
  const { kid, alg } = jwk;
  try {
    const key = createPublicKey({ key: jwk as webcrypto.JsonWebKey, format: 'jwk' });
    return {
      kid: typeof kid === 'string' ? kid : undefined,
      pem: key.export({ type: 'spki', format: 'pem' }),
      algorithms: algorithmsOf(key).filter((algorithm) => alg === undefined || alg === algorithm),
    };
  } catch {
    return undefined;
  }
}

/** A private key (`d`) that has been published cannot be trusted. */
const isForVerification = ({ use, key_ops: operations, d }: Record<string, unknown>): boolean =>
  (use === undefined || use === 'sig') &&
  (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
  d === undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function unavailable(cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    detail: 'The keys that tokens are verified with cannot be fetched.',
    headers: { 'retry-after': String(FAILURE_PAUSE_MS / 1000) },
    cause,
  });
}
