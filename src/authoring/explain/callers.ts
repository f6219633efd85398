import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { levelsFrom } from '../../descriptor/levels.ts';
import { scopesOfRules } from '../../descriptor/row-access.ts';
import { type Claims, type Principal, principalOf } from '../../runtime/auth/index.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { CommandFailure } from '../../tools/command-failure.ts';
import type { Asked } from '../../tools/find-action.ts';

/** A caller to explain an action for; no principal: anonymous. */
export interface AskedCaller {
  readonly name: string;
  readonly claims: Claims | undefined;
  readonly principal: Principal | undefined;
}

const HOUR_S = 3_600;
const SUBJECT = '019bc0de-7c00-7000-8000-00000000000a';

export const ANONYMOUS: AskedCaller = { name: 'a caller without a token', claims: undefined, principal: undefined };

/**
 * The caller whose token has these claims. `scopeClaims`: as of the setting. Throws `CommandFailure` for a token that
 * is refused.
 */
export function callerWith(
  claims: Claims,
  scopeClaims?: readonly string[],
  name = 'a caller with these claims',
): AskedCaller {
  const now = Date.now();
  const payload = { exp: Math.floor(now / 1_000) + HOUR_S, ...claims };
  try {
    return { name, claims, principal: principalOf({ header: {}, payload }, { scopeClaims }, now) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new CommandFailure(`A token with these claims is refused. ${error.message}`);
  }
}

/**
 * The kinds of caller that the rules of an action distinguish: without a token, without scopes, with those it needs, and
 * each more.
 */
export function kindsOfCaller({ operation, resource }: Asked, { resources }: CompiledContract): readonly AskedCaller[] {
  const needed = operation.access.anyOf[0]?.schemes.flatMap(({ scopes }) => scopes) ?? [];
  const exempting = (resource ? levelsFrom(resource, resources) : []).flatMap(scopesOfRules);
  const kind = (name: string, scopes: readonly string[]): AskedCaller =>
    callerWith({ sub: SUBJECT, scope: scopes.join(' ') }, undefined, name);
  const others = [...new Set(exempting)].filter((scope) => !needed.includes(scope));
  return [
    ANONYMOUS,
    kind('a caller with a token and no scopes', []),
    ...(needed.length > 0 ? [kind(`a caller with ${needed.join(' ')}`, needed)] : []),
    ...others.map((scope) => kind(`a caller with ${[...needed, scope].join(' ')}`, [...needed, scope])),
  ];
}
