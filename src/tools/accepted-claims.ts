import type { TokenClaims } from '../runtime/auth/index.ts';
import type { Config } from '../runtime/settings/index.ts';

/** What a token must say for a server with these settings to accept it. */
export const acceptedClaims = ({
  jwtIssuers: [issuer] = [],
  jwtAudience: [audience] = [],
  jwtScopeClaims: [scopeClaim] = [],
}: Config): Pick<TokenClaims, 'issuer' | 'audience' | 'scopeClaim'> => ({ issuer, audience, scopeClaim });
