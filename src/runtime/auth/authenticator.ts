import type { FastifyInstance } from 'fastify';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { type ClaimRules, principalOf } from './claims.ts';
import { invalidToken } from './invalid-token.ts';
import { registerJwt, type SignedToken } from './jwt.ts';
import type { Keys } from './keys.ts';
import type { Principal } from './principal.ts';
import { createTokenCache } from './token-cache.ts';

/** How bearer tokens are verified. */
export interface Authentication extends ClaimRules {
  readonly keys: Keys;
  /** The server's clock if left out. */
  readonly clock?: () => number;
}

/**
 * Identifies the caller by the `Authorization` header; without a header, the caller is anonymous (undefined).
 * Synchronous unless keys must be fetched. Throws, or rejects with, `UNAUTHENTICATED` for anything but a valid bearer
 * token, and `SERVICE_UNAVAILABLE` when the keys cannot be fetched.
 */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Principal | undefined>;

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
    cache.add(authorization, principal, nowMs);
    return principal;
  };
  return (authorization) => {
    if (authorization === undefined) return undefined;
    const known = cache.get(authorization, clock());
    return known ?? whenKnown(verify(tokenIn(authorization)), (token) => accepted(authorization, token));
  };
}

function tokenIn(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw invalidToken('The Authorization header holds no bearer token.');
  return token;
}
