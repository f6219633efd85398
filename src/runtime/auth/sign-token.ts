import { createSigner } from 'fast-jwt';
import type { SecretKeys } from './keys.ts';
import type { Claims } from './principal.ts';

export interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** Time of issue. */
  readonly now?: Date;
  /** Further claims, in place of those above where they have the same name. */
  readonly claims?: Claims;
}

/**
 * A bearer token that a server with the same secret accepts. Commands and tests sign where no server runs, so this is
 * the signer underneath `@fastify/jwt`.
 */
export function signToken(keys: SecretKeys, claims: TokenClaims): string {
  const { subject, scopes, expiresInSeconds, issuer, audience, now = new Date() } = claims;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const sign = createSigner({ key: keys.key.export(), algorithm: keys.algorithms[0] });
  return sign({
    iss: issuer,
    aud: audience,
    sub: subject,
    scope: scopes.length > 0 ? scopes.join(' ') : undefined,
    iat: issuedAt,
    exp: issuedAt + expiresInSeconds,
    ...claims.claims,
  });
}
