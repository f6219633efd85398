import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import { type ClaimRules, principalOf } from './claims.ts';
import { invalidToken } from './invalid-token.ts';
import { registerJwt, type SignedToken } from './jwt.ts';
import type { Keys } from './keys.ts';
import { logMistrust } from './mistrust-log.ts';
import type { Principal } from './principal.ts';

/** How bearer tokens are verified. */
export interface Authentication extends ClaimRules {
  readonly keys: Keys;
  /** The server's clock if left out. */
  readonly clock?: () => number;
}

/**
 * Identifies the caller by the `Authorization` header.
 * Synchronous unless keys must be fetched. Throws, or rejects with, `UNAUTHENTICATED` for anything but a valid bearer
 * token, and `SERVICE_UNAVAILABLE` when the keys cannot be fetched.
 */
export type Authenticate = (authorization: string) => MaybePromise<Principal>;

const CACHED_TOKENS = 10_000;

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/**
 * Sets up the verification of bearer tokens: signed JWTs with `exp` and `sub` (RFC 7519), by the rules of RFC 8725.
 * Called once for each server.
 */
export async function registerAuthentication(
  app: FastifyInstance,
  authentication: Authentication,
  serverClock: () => number,
): Promise<Authenticate> {
  const { keys, clock = serverClock } = authentication;
  const verify = await registerJwt(app, keys, clock);
  const cache = createTokenCache(CACHED_TOKENS);
  const accepted = (authorization: string, token: SignedToken): Principal => {
    const nowMs = clock();
    const principal = principalOf(token, authentication, nowMs);
    cache.add(authorization, principal, nowMs, token.isTrusted);
    return principal;
  };
  const refused = logMistrust(app.log, clock);
  return (authorization) => {
    const known = cache.get(authorization, clock());
    if (known) return known;
    const verified = rescued(() => verify(tokenIn(authorization)), refused);
    return whenKnown(verified, (token) => accepted(authorization, token));
  };
}

function tokenIn(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw invalidToken('The Authorization header holds no bearer token.');
  return token;
}

/** A token is verified again after this time, so that the removal of a key takes effect. */
const MAX_AGE_MS = 300_000;
const MAX_HEADER_LENGTH = 4_096;

/** Verified tokens, by `Authorization` header. */
export interface TokenCache {
  /** The caller, unless the token or the entry has expired. */
  get(header: string, nowMs: number): Principal | undefined;
  /** `isTrusted`: asked each time; always if left out. */
  add(header: string, principal: Principal, nowMs: number, isTrusted?: () => boolean): void;
}

interface Entry {
  readonly principal: Principal;
  readonly freshUntilMs: number;
  readonly isTrusted: (() => boolean) | undefined;
}

/** Keeps the `capacity` most recently used tokens, except for headers longer than 4,096 characters. */
export function createTokenCache(capacity: number): TokenCache {
  const entries = new LRUCache<string, Entry>({ max: capacity });
  return {
    get(header, nowMs) {
      const entry = entries.get(header);
      if (entry === undefined) return undefined;
      if (nowMs < entry.freshUntilMs && entry.isTrusted?.() !== false) return entry.principal;
      entries.delete(header);
      return undefined;
    },
    add(header, principal, nowMs, isTrusted) {
      if (header.length > MAX_HEADER_LENGTH) return;
      const freshUntilMs = Math.min(principal.expiresAtMs, nowMs + MAX_AGE_MS);
      entries.set(header, { principal, freshUntilMs, isTrusted });
    },
  };
}
