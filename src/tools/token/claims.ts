import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import { type Compared, comparedIn } from '../../descriptor/row-access.ts';
import type { Claims } from '../../runtime/auth/index.ts';

/** A value that a property may have, for the claim that it is compared with. */
export type ValueForClaim = (compared: Compared) => unknown;

/** The claims that the rules read, `sub` aside, each with a value of the property that it is compared with. */
export function claimsFor({ resources }: Pick<CompiledContract, 'resources'>, valueFor: ValueForClaim): Claims {
  const claims: Record<string, unknown> = {};
  for (const compared of comparedIn(resources)) {
    const path = 'claim' in compared.value ? compared.value.claim : [];
    if (path.length === 0 || isSubject(path)) continue;
    const value = valueFor(compared);
    setAt(claims, path, compared.isOneOf && !Array.isArray(value) ? [value] : value);
  }
  return claims;
}

export const isSubject = (path: readonly string[]): boolean => path.length === 1 && path[0] === 'sub';

/** The first value stays: a claim may be compared with several properties. */
function setAt(claims: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = claims;
  for (const [i, name] of path.entries()) {
    at[name] ??= i === path.length - 1 ? value : {};
    at = at[name] as Record<string, unknown>;
  }
}

/** The claims with another value of one. */
export function withClaim(claims: Claims, [name, ...path]: readonly string[], value: unknown): Claims {
  if (name === undefined) throw new Error('A claim has a name.');
  const inner = claimAt(claims, [name]);
  const object = typeof inner === 'object' ? (inner as Claims) : {};
  return { ...claims, [name]: path.length === 0 ? value : withClaim(object, path, value) };
}

/** The value of a claim; undefined where the claims lack it. */
export function claimAt(claims: Claims, path: readonly string[]): unknown {
  let at: unknown = claims;
  for (const name of path) {
    at = isPlainObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}
