import { ApiError } from '../errors/api-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';

/** Explains to the holder why a token is refused, without revealing which key or value would be accepted. */
export const REFUSALS = {
  malformed: 'The bearer token is not a JWT that this server accepts.',
  algorithm: "The token's algorithm is not accepted.",
  untrusted: 'The token is not signed with a key that this server trusts.',
  unnamedKey: 'The token names no key (kid), and its issuer has several that could have signed it.',
  expired: 'The token has expired.',
} as const;

/** Why a claim or a header parameter is refused. */
export const notAccepted = (name: string): string => `The token's ${name} is not accepted.`;

/** `UNAUTHENTICATED` with the challenge of RFC 6750, 3.1. */
export function invalidToken(detail: string, cause?: unknown): ApiError {
  return new ApiError('UNAUTHENTICATED', { detail, headers: bearerChallenge('invalid_token'), cause });
}
