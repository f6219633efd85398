import { createDecoder } from 'fast-jwt';
import type { Access } from '../../descriptor/access.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { scopesOfRules } from '../../descriptor/row-access.ts';
import type { SecretKeys } from '../../runtime/auth/keys.ts';
import type { Claims } from '../../runtime/auth/principal.ts';
import { signToken } from '../../runtime/auth/sign-token.ts';
import type { Caller } from '../harness/callers.ts';
import { scopesOf } from '../start/scopes.ts';
import { tenantClaims } from '../token/tenant-claims.ts';

/** The callers that send the requests. */
export interface Callers {
  readonly anonymous: Caller;
  /** Owns the rows that most requests are about. */
  readonly owner: Caller;
  /** Another caller with the same scopes; when undefined, visibility of rows is not checked. */
  readonly other: Caller | undefined;
  /** Holds every scope, and does what the owner may not; undefined when only the tokens of others are known. */
  readonly staff: Caller | undefined;
}

const ANONYMOUS: Caller = {
  name: 'anonymous',
  subject: undefined,
  authorization: undefined,
  scopes: new Set(),
  claims: {},
};
const STAFF = '019bc0de-7c00-7000-8000-00000000000f';
const HOUR_S = 3_600;

/** Callers with given tokens. Throws `ConfigError` when one is not a JWT. */
export function callersOfTokens(owner: string | undefined, other: string | undefined): Callers {
  return {
    anonymous: ANONYMOUS,
    owner: owner === undefined ? ANONYMOUS : callerOf('owner', owner),
    other: other === undefined ? undefined : callerOf('other', other),
    staff: undefined,
  };
}

/**
 * Two callers with every scope but those that lift rules of rows, and one with all, signed with the server's own
 * secret.
 */
export function signedCallers(
  contract: CompiledContract,
  keys: SecretKeys,
  subjects: readonly [owner: string, other: string],
  now = new Date(),
): Callers {
  const { resources } = contract;
  const exempting = new Set([
    ...resources.flatMap(({ owner }) => owner?.scope ?? []),
    ...resources.flatMap(scopesOfRules),
  ]);
  const scopes = new Set([...scopesOf(contract), ...exempting]);
  const claims = tenantClaims(contract);
  const sign = (subject: string, held: readonly string[]): string =>
    signToken(keys, { subject, scopes: held, expiresInSeconds: HOUR_S, now, claims });
  const plain = [...scopes].filter((scope) => !exempting.has(scope));
  const [owner, other] = subjects.map((subject) => sign(subject, plain));
  return { ...callersOfTokens(owner, other), staff: callerOf('staff', sign(STAFF, [...scopes])) };
}

/** Whether a caller's scopes allow what an access rule asks for. */
export function mayCall({ scopes, authorization }: Caller, { anyOf }: Access): boolean {
  if (anyOf.length === 0) return true;
  return anyOf.some(
    ({ schemes }) =>
      schemes.length === 0 ||
      (authorization !== undefined && schemes.every((scheme) => scheme.scopes.every((scope) => scopes.has(scope)))),
  );
}

const decode = createDecoder();

function callerOf(name: string, token: string): Caller {
  try {
    const claims = decode(token) as Claims & { readonly sub?: string; readonly scope?: string | readonly string[] };
    const { sub, scope } = claims;
    const scopes = typeof scope === 'string' ? scope.split(' ') : (scope ?? []);
    return { name, subject: sub, authorization: `Bearer ${token}`, scopes: new Set(scopes), claims };
  } catch {
    throw new ConfigError([`The token of ${name} is not a JWT.`]);
  }
}
