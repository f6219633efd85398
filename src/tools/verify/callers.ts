import { createDecoder } from 'fast-jwt';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { SecretKeys } from '../../runtime/auth/keys.ts';
import { signToken } from '../../runtime/auth/sign-token.ts';
import type { Caller } from '../proof/callers.ts';
import { scopesOf } from '../start/scopes.ts';

/** The callers that send the requests. */
export interface Callers {
  readonly anonymous: Caller;
  /** Owns the rows that most requests are about. */
  readonly owner: Caller;
  /** Another caller with the same scopes; when undefined, visibility of rows is not checked. */
  readonly other: Caller | undefined;
}

const ANONYMOUS: Caller = { name: 'anonymous', subject: undefined, authorization: undefined };

/** Callers with given tokens. Throws `ConfigError` when one is not a JWT. */
export function callersOfTokens(owner: string | undefined, other: string | undefined): Callers {
  return {
    anonymous: ANONYMOUS,
    owner: owner === undefined ? ANONYMOUS : callerOf('owner', owner),
    other: other === undefined ? undefined : callerOf('other', other),
  };
}

/** Two callers with every scope but those that lift owner rules, signed with the server's own secret. */
export function signedCallers(
  contract: CompiledContract,
  keys: SecretKeys,
  subjects: readonly [owner: string, other: string],
): Callers {
  const exempting = new Set(contract.resources.flatMap(({ owner }) => owner?.scope ?? []));
  const scopes = scopesOf(contract).filter((scope) => !exempting.has(scope));
  const [owner, other] = subjects.map((subject) => signToken(keys, { subject, scopes, expiresInSeconds: 3_600 }));
  return callersOfTokens(owner, other);
}

const decode = createDecoder();

function callerOf(name: string, token: string): Caller {
  try {
    return { name, subject: decode(token).sub, authorization: `Bearer ${token}` };
  } catch {
    throw new ConfigError([`The token of ${name} is not a JWT.`]);
  }
}
