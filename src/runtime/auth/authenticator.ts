import { type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';
import { principalOf } from './claims.ts';
import type { Keys } from './keys.ts';
import type { Principal } from './principal.ts';
import { refusalDetail } from './refusal-detail.ts';
import { remoteKeySet } from './remote-key-set.ts';
import { createTokenCache } from './token-cache.ts';

export interface AuthenticatorOptions {
  /** The only `iss` accepted; any, if left out. */
  readonly issuer?: string | undefined;
  /** A token's `aud` must include it; any passes, if left out. */
  readonly audience?: string | undefined;
  readonly clock?: () => Date;
}

/**
 * The caller that an `Authorization` header names; without one, undefined: anonymous. Answers at once for a token it
 * has verified before. Throws, or rejects with, `UNAUTHENTICATED` for anything but a valid bearer token, and
 * `SERVICE_UNAVAILABLE` when the keys cannot be fetched.
 */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Principal | undefined>;

const CACHED_TOKENS = 10_000;

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/** Verifies bearer tokens: signed JWTs with `exp` and `sub` (RFC 7519), by the rules of RFC 8725. */
export function createAuthenticator(keys: Keys, options: AuthenticatorOptions = {}): Authenticate {
  const { clock = () => new Date() } = options;
  const verify = createVerifier(keys, options, clock);
  const cache = createTokenCache(CACHED_TOKENS);
  const verifyNew = async (authorization: string): Promise<Principal> => {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw unauthenticated('The Authorization header holds no bearer token.');
    const principal = await verify(token);
    cache.add(authorization, principal, clock().getTime());
    return principal;
  };
  return (authorization) => {
    if (authorization === undefined) return undefined;
    return cache.get(authorization, clock().getTime()) ?? verifyNew(authorization);
  };
}

function createVerifier(
  keys: Keys,
  { issuer, audience }: AuthenticatorOptions,
  clock: () => Date,
): (token: string) => Promise<Principal> {
  const key: JWTVerifyGetKey = keys.kind === 'remote' ? remoteKeySet(keys.url, clock) : async () => keys.key;
  const options: JWTVerifyOptions = {
    algorithms: [...keys.algorithms],
    requiredClaims: ['exp', 'sub'],
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
  return async (token) => {
    try {
      const { protectedHeader, payload } = await jwtVerify(token, key, { ...options, currentDate: clock() });
      return principalOf(protectedHeader, payload);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw unauthenticated(refusalDetail(error), error);
    }
  };
}

function unauthenticated(detail: string, cause?: unknown): ApiError {
  return new ApiError('UNAUTHENTICATED', { detail, headers: bearerChallenge('invalid_token'), cause });
}
