import { randomUUID } from 'node:crypto';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Keys, SecretKeys } from '../../runtime/auth/keys.ts';
import { signToken } from '../../runtime/auth/sign-token.ts';
import type { Config } from '../../runtime/settings/config.ts';
import type { Sample, SampleCaller } from './sample.ts';
import { scopesOf } from './scopes.ts';

const EXPIRES_IN_SECONDS = 7 * 24 * 3600;

/** A caller with the token that stands for it. */
export interface ReadyToken extends SampleCaller {
  readonly token: string;
}

/**
 * Tokens to paste, the least powerful first: the sample's callers, or one caller with every scope of the contract.
 * None in production, nor where another signs.
 */
export function readyTokens(
  contract: CompiledContract,
  keys: Keys,
  config: Config,
  sample: Sample | undefined,
): ReadyToken[] {
  if (config.isProduction || keys.kind !== 'secret') return [];
  const known = [sample?.customer, sample?.admin].filter((caller) => caller !== undefined);
  const everyone = { subject: randomUUID(), scope: scopesOf(contract).join(' ') };
  return (known.length > 0 ? known : [everyone]).map((caller) => withToken(caller, keys, config));
}

function withToken(caller: SampleCaller, keys: SecretKeys, config: Config): ReadyToken {
  const scopes = caller.scope.split(' ').filter((scope) => scope !== '');
  const { jwtIssuer: issuer, jwtAudience: audience } = config;
  const claims = { subject: caller.subject, scopes, expiresInSeconds: EXPIRES_IN_SECONDS, issuer, audience };
  return { ...caller, token: signToken(keys, claims) };
}
