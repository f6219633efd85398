import { SignJWT } from 'jose';
import type { SecretKeys } from './keys.ts';

export interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** Time of issue. */
  readonly now?: Date;
}

/** A bearer token that a server with the same secret accepts. */
export function signToken(keys: SecretKeys, claims: TokenClaims): Promise<string> {
  const { subject, scopes, expiresInSeconds, issuer, audience, now = new Date() } = claims;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const token = new SignJWT(scopes.length > 0 ? { scope: scopes.join(' ') } : {})
    .setProtectedHeader({ alg: keys.algorithms[0], typ: 'JWT' })
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(keys.key);
}
