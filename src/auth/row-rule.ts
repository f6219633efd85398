import type { OwnerRule } from '../descriptor/resource.ts';
import { ApiError } from '../errors/api-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';
import type { Principal } from './principal.ts';

/** Rows that a caller may reach: all of them, or those whose `property` equals `subject`. */
export type RowRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'own'; readonly property: string; readonly subject: string };

const ALL: RowRule = { kind: 'all' };

/** Rows the caller may see; others do not exist for it (404). Throws `UNAUTHENTICATED` like `changeRule`. */
export function readRule(owner: OwnerRule | undefined, principal: Principal | undefined): RowRule {
  return owner?.reads === 'anyone' ? ALL : changeRule(owner, principal);
}

/**
 * Rows the caller may change, delete, or create: `own` means that a created row gets `subject` as its owner.
 * Throws `UNAUTHENTICATED` when rows are owned and the caller is anonymous, since nobody's rows are nobody's to see.
 */
export function changeRule(owner: OwnerRule | undefined, principal: Principal | undefined): RowRule {
  if (owner === undefined) return ALL;
  if (principal === undefined) {
    throw new ApiError('UNAUTHENTICATED', {
      detail: 'These resources belong to callers: a bearer token is needed.',
      headers: bearerChallenge(),
    });
  }
  if (owner.scope !== undefined && principal.scopes.has(owner.scope)) return ALL;
  return { kind: 'own', property: owner.property, subject: principal.subject };
}
