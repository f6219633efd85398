import { randomUUID } from 'node:crypto';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { SiteCaller } from '../../readers/docs/console/index.ts';
import { type Claims, type Keys, type SecretKeys, signToken } from '../../runtime/auth/index.ts';
import type { Config } from '../../runtime/settings/index.ts';
import { acceptedClaims } from '../../tools/accepted-claims.ts';
import type { Sample, SampleCaller } from '../../tools/sample.ts';
import { scopesOf, tenantClaims } from '../../tools/token/index.ts';

const EXPIRES_IN_SECONDS = 7 * 24 * 3600;

/** A caller with the token that stands for it. */
export interface ReadyToken extends SampleCaller {
  /** What the caller is to the contract. */
  readonly role: 'customer' | 'admin' | 'caller' | 'newcomer' | 'leaver';
  readonly token: string;
}

/** The shell variable that holds a caller's token. */
export const variableOf = ({ role }: ReadyToken): string => role.toUpperCase();

/** A caller as the documentation names it. */
export const siteCaller = ({ role, subject, token }: ReadyToken): SiteCaller => ({ name: `${role} ${subject}`, token });

/** What GraphiQL sends at first: the token of the most powerful caller. */
export function graphiqlHeaders(tokens: readonly ReadyToken[]): Readonly<Record<string, string>> | undefined {
  const last = tokens.at(-1);
  return last && { authorization: `Bearer ${last.token}` };
}

/**
 * Tokens to paste, the least powerful first: the sample's callers, or one caller with every scope of the contract.
 * None where the contract takes no bearer tokens, in production, and where somebody else signs them.
 */
export function readyTokens(
  contract: CompiledContract,
  keys: Keys,
  config: Config,
  sample: Sample | undefined,
  tenant: Claims = tenantClaims(contract),
): ReadyToken[] {
  const { customer, admin } = sample ?? {};
  const known = [...(customer ? [withRole('customer', customer)] : []), ...(admin ? [withRole('admin', admin)] : [])];
  const everyone: Caller = { role: 'caller', subject: randomUUID(), scope: scopesOf(contract).join(' ') };
  const callers = known.length > 0 ? known : [everyone];
  return signed(
    callers.map((one) => ({ ...one, claims: { ...tenant, ...one.claims } })),
    contract,
    keys,
    config,
  );
}

/** Tokens of the callers whose own row samples create or delete. */
export const otherTokens = (contract: CompiledContract, keys: Keys, config: Config, { others = [] }: Sample) =>
  signed(others, contract, keys, config);

function signed(callers: readonly Caller[], contract: CompiledContract, keys: Keys, config: Config): ReadyToken[] {
  if (config.isProduction || keys.kind !== 'secret' || !takesTokens(contract)) return [];
  return callers.map((caller) => withToken(caller, keys, config, { ...caller.claims }));
}

const takesTokens = ({ rest }: CompiledContract): boolean =>
  Object.values(rest.securitySchemes).some(({ isBearer }) => isBearer);

type Caller = Omit<ReadyToken, 'token'>;

const withRole = (role: ReadyToken['role'], caller: SampleCaller): Caller => ({ ...caller, role });

function withToken(caller: Caller, keys: SecretKeys, config: Config, own: Claims): ReadyToken {
  const scopes = caller.scope.split(' ').filter((scope) => scope !== '');
  const accepted = { expiresInSeconds: EXPIRES_IN_SECONDS, ...acceptedClaims(config) };
  return { ...caller, token: signToken(keys, { subject: caller.subject, scopes, claims: own, ...accepted }) };
}
