import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import { fetchJson } from './fetch-json.ts';
import { invalidToken, REFUSALS } from './invalid-token.ts';
import { SearchBudget } from './search-budget.ts';
import { type VerificationKey, verificationKeys } from './verification-key.ts';

/** For finding out where the keys are, and for fetching them, together. */
const FETCH_TIMEOUT_MS = 3_000;
/** Keys are fetched again at this age, before they are too old: no request waits for that. */
const REFRESH_MS = 300_000;
const RETRY_MS = 30_000;
const KEYS_MAX_AGE_MS = 600_000;
/** While the issuer does not answer, keys are used up to this age: about as long as the tokens they have signed. */
const KEYS_MAX_STALE_MS = 3_600_000;
/** How long a failed fetch stands for an issuer that does not answer. */
const FAILURE_STANDS_MS = 2 * RETRY_MS;
/** How long requests fail after a failed fetch before the next one is tried. */
const FAILURE_PAUSE_MS = 2_000;
/** How long a `kid` that was not found is not searched for again. */
const MISS_MS = 5_000;
const MAX_MISSES = 1_000;

/** Says where a key set is; asked before each fetch. Rejects when that cannot be found out. */
export type LocateKeySet = (signal: AbortSignal) => URL | Promise<URL>;

/**
 * The keys of an issuer, a JSON Web Key Set (RFC 7517). They are fetched when first needed, from then on ahead of their
 * age, and for an unknown `kid`, so that a newly published key is found at once. Keys stay as they are while the issuer
 * does not answer, or answers without a key that can verify. Unknown `kid`s cause at most twelve fetches a minute.
 */
export class RemoteKeySet {
  readonly #locate: LocateKeySet;
  readonly #clock: () => number;
  readonly #searches: SearchBudget;
  readonly #misses = new LRUCache<string, number>({ max: MAX_MISSES });
  #keys: readonly VerificationKey[] = [];
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;
  #refreshing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(locate: LocateKeySet, clock: () => number) {
    this.#locate = locate;
    this.#clock = clock;
    this.#searches = new SearchBudget(clock);
  }

  /**
   * The keys that may have signed a token with these header parameters, one or more. Throws, or rejects with,
   * `UNAUTHENTICATED` when there is none, or several for a token that names none, and `SERVICE_UNAVAILABLE` when the keys
   * cannot be fetched.
   */
  find(alg: string, kid: unknown): MaybePromise<readonly VerificationKey[]> {
    const known = this.#areGood ? this.#lookUp(alg, kid) : undefined;
    return known ?? this.#findFetching(alg, kid);
  }

  /** Whether a key that has verified a token still does. */
  holds(key: VerificationKey): boolean {
    return this.#areGood && this.#keys.includes(key);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#refreshing);
  }

  async #findFetching(alg: string, kid: unknown): Promise<readonly VerificationKey[]> {
    try {
      if (this.#areGood && !this.#maySearch(alg, kid)) throw invalidToken(REFUSALS.untrusted);
      await this.#fetch();
    } catch (error) {
      const old = this.#ageMs < KEYS_MAX_STALE_MS ? this.#lookUp(alg, kid) : undefined;
      if (old) return old;
      throw error;
    }
    const found = this.#lookUp(alg, kid);
    if (found) return found;
    this.#miss(alg, kid);
    throw invalidToken(REFUSALS.untrusted);
  }

  get #ageMs(): number {
    return this.#clock() - this.#fetchedAtMs;
  }

  /** Whether tokens are judged by the keys that are known: they are young, or all that an issuer that fails has left. */
  get #areGood(): boolean {
    const ageMs = this.#ageMs;
    if (ageMs < KEYS_MAX_AGE_MS) return true;
    return ageMs < KEYS_MAX_STALE_MS && this.#clock() - this.#failedAtMs < FAILURE_STANDS_MS;
  }

  /** Throws `UNAUTHENTICATED` for a token that several keys could have signed and that names none of them. */
  #lookUp(alg: string, kid: unknown): readonly VerificationKey[] | undefined {
    const fitting = this.#keys.filter(
      (candidate) => candidate.algorithms.includes(alg) && (kid === undefined || kid === candidate.kid),
    );
    if (fitting.length > 1 && kid === undefined) throw invalidToken(REFUSALS.unnamedKey);
    return fitting.length > 0 ? fitting : undefined;
  }

  #miss(alg: string, kid: unknown): void {
    this.#misses.set(missOf(alg, kid), this.#clock() + MISS_MS);
  }

  /** Whether a newly published key may be looked for. Concurrent searches wait for the same fetch. */
  #maySearch(alg: string, kid: unknown): boolean {
    if ((this.#misses.get(missOf(alg, kid)) ?? 0) > this.#clock()) return false;
    return this.#fetching !== undefined || this.#searches.take();
  }

  /** Rejects with `SERVICE_UNAVAILABLE`. */
  async #fetch(): Promise<void> {
    if (!this.#fetching && this.#clock() - this.#failedAtMs < FAILURE_PAUSE_MS) throw unavailable();
    this.#fetching ??= this.#load().finally(() => {
      this.#fetching = undefined;
      this.#refreshLater();
    });
    await this.#fetching;
  }

  async #load(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      const url = await this.#locate(signal);
      const keys = verificationKeys(await fetchJson(url, 'application/jwk-set+json, application/json', signal), url);
      if (keys.length === 0 && this.#keys.length > 0) throw new Error(`No key of ${url} can verify a token`);
      this.#take(keys);
    } catch (error) {
      this.#failedAtMs = this.#clock();
      throw unavailable(error);
    }
  }

  /** A key that is still there stays the same, by which tokens that it has verified are known. */
  #take(keys: readonly VerificationKey[]): void {
    const next = keys.map((key) => this.#keys.find(({ id }) => id === key.id) ?? key);
    for (const { algorithms, kid } of this.#keys.filter((key) => !next.includes(key)))
      for (const alg of algorithms) this.#miss(alg, kid);
    this.#keys = next;
    this.#fetchedAtMs = this.#clock();
    this.#failedAtMs = Number.NEGATIVE_INFINITY;
  }

  #refreshLater(): void {
    clearTimeout(this.#refreshing);
    if (this.#isClosed || this.#keys.length === 0) return;
    const hasFailed = this.#failedAtMs > this.#fetchedAtMs;
    const refresh = (): void => void this.#fetch().catch(() => undefined);
    this.#refreshing = setTimeout(refresh, hasFailed ? RETRY_MS : REFRESH_MS).unref();
  }
}

const missOf = (alg: string, kid: unknown): string => JSON.stringify([alg, kid]);

function unavailable(cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    detail: 'The keys that tokens are verified with cannot be fetched.',
    headers: { 'retry-after': String(FAILURE_PAUSE_MS / 1000) },
    cause,
  });
}
