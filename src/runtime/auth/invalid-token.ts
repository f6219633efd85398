import { ApiError } from '../errors/api-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';

/** Why a token is refused, for its holder to fix: never which key or value would pass. */
export const REFUSALS = {
  malformed: 'The bearer token is not a JWT that this server accepts.',
  algorithm: "The token's algorithm is not accepted.",
  untrusted: "The token's signature is not one of the keys' this server trusts.",
  expired: 'The token has expired.',
} as const;

/** Of a claim, or a header parameter. */
export const notAccepted = (name: string): string => `The token's ${name} is not accepted.`;

/** `UNAUTHENTICATED` with the challenge of RFC 6750, 3.1. */
export function invalidToken(detail: string, cause?: unknown): ApiError {
  return new ApiError('UNAUTHENTICATED', { detail, headers: bearerChallenge('invalid_token'), cause });
}
