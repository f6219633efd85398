import { createSigner } from 'fast-jwt';
import type { SecretKeys } from './keys.ts';
import type { Claims } from './principal.ts';

export interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** The claim that the server reads scopes from, if not `scope`: a name, or a path as `realm_access.roles`. */
  readonly scopeClaim?: string | undefined;
  /** Time of issue. */
  readonly now?: Date;
  /** Further claims. They override those above. */
  readonly claims?: Claims;
}

/**
 * Signs a bearer token that a server with the same secret accepts. It uses the signer that `@fastify/jwt` is built on,
 * because commands and tests sign tokens without a server.
 */
export function signToken(keys: SecretKeys, claims: TokenClaims): string {
  const { subject, scopes, expiresInSeconds, issuer, audience, scopeClaim, now = new Date() } = claims;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const sign = createSigner({ key: keys.key.export(), algorithm: keys.algorithms[0] });
  return sign({
    iss: issuer,
    aud: audience,
    sub: subject,
    ...(scopes.length > 0 && scopesAs(scopes, scopeClaim)),
    iat: issuedAt,
    exp: issuedAt + expiresInSeconds,
    ...claims.claims,
  });
}

function scopesAs(scopes: readonly string[], claim: string | undefined): Claims {
  if (claim === undefined) return { scope: scopes.join(' ') };
  const [name = claim, ...path] = claim.split('.');
  return { [name]: path.reduceRight<unknown>((value, member) => ({ [member]: value }), scopes) };
}
