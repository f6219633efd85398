import { errors } from 'jose';

/** Why a token is refused, for its holder to mend: never what key or value would do. */
export function refusalDetail(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return `The token's ${error.claim} is not accepted.`;
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token's algorithm is not accepted.";
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return "The token's signature is not one of the keys' this server trusts.";
  }
  return 'The bearer token is not a JWT that this server accepts.';
}
