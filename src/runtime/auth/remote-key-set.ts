import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../errors/api-error.ts';

const FETCH_TIMEOUT_MS = 3_000;
const RELOAD_COOLDOWN_MS = 30_000;
const KEYS_MAX_AGE_MS = 600_000;
/** After a failed fetch, how long callers get the failure without another one. */
const FAILURE_PAUSE_MS = 2_000;

/**
 * Keys of an issuer by `kid`, fetched when first needed, when they are old, and for an unknown `kid`, but then at most
 * once in 30 s: made-up ones cost no fetches. Keys that cannot be had are `SERVICE_UNAVAILABLE`, not the caller's fault.
 */
export function remoteKeySet(url: URL, clock: () => Date): JWTVerifyGetKey {
  const keySet = createRemoteJWKSet(url, {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: RELOAD_COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
  });
  let pausedUntilMs = 0;
  return async (header, token) => {
    if (!keySet.fresh && clock().getTime() < pausedUntilMs) throw unavailable();
    try {
      return await keySet(header, token);
    } catch (error) {
      if (isCallersFault(error)) throw error;
      pausedUntilMs = clock().getTime() + FAILURE_PAUSE_MS;
      throw unavailable(error);
    }
  };
}

/** The keys are there, but none is for this token. */
function isCallersFault(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    detail: 'The keys that tokens are verified with cannot be fetched.',
    headers: { 'retry-after': String(FAILURE_PAUSE_MS / 1000) },
    cause,
  });
}
