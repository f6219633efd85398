import { randomUUID } from 'node:crypto';
import { type Claims, developmentKeys, type SecretKeys, signToken } from '../runtime/auth/index.ts';
import { type Config, readConfig } from '../runtime/settings/index.ts';
import { acceptedClaims } from './accepted-claims.ts';
import { CommandFailure } from './command-failure.ts';

export interface TokenOptions {
  /** Undefined: a new UUID. */
  readonly subject: string | undefined;
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  /** Further claims, which override those above. */
  readonly claims: Claims | undefined;
}

/** A token that a server with the same settings accepts. Throws `CommandFailure` when only an issuer can sign. */
export function developmentToken({ subject = randomUUID(), claims, ...rest }: TokenOptions): string {
  const config = readConfig(process.env);
  return signToken(signingKeys(config), { subject, ...rest, ...acceptedClaims(config), ...(claims && { claims }) });
}

function signingKeys({ keys, dataDir }: Config): SecretKeys {
  const usable = keys ?? developmentKeys(dataDir);
  if (usable.kind === 'secret') return usable;
  throw new CommandFailure(
    'Tokens for JWT_JWKS_URL, JWT_PUBLIC_KEY and a URL as JWT_ISSUER are signed by their issuer; only JWT_SECRET can sign here.',
  );
}
