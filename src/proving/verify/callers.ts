import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type SecretKeys, signToken } from '../../runtime/auth/index.ts';
import { plainScopesOf, scopesOf, tenantClaims } from '../../tools/token/index.ts';
import { ANONYMOUS, type Caller, callerOf } from '../harness/callers.ts';

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
 * secret. `tenant`: to which they belong; the usual one if left out.
 */
export function signedCallers(
  contract: CompiledContract,
  keys: SecretKeys,
  subjects: readonly [owner: string, other: string],
  now = new Date(),
  tenant?: unknown,
): Callers {
  const claims = tenantClaims(contract, tenant);
  const sign = (subject: string, held: readonly string[]): string =>
    signToken(keys, { subject, scopes: held, expiresInSeconds: HOUR_S, now, claims });
  const [owner, other] = subjects.map((subject) => sign(subject, plainScopesOf(contract)));
  return { ...callersOfTokens(owner, other), staff: callerOf('staff', sign(STAFF, scopesOf(contract))) };
}
