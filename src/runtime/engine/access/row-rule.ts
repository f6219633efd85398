import type { OwnerRule } from '../../../descriptor/resource.ts';
import { bearerChallenge } from '../../auth/bearer-challenge.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Which rows a caller may read or change: all of them, or those whose property is the caller's subject. */
export type RowRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'own'; readonly property: string; readonly subject: string };

const ALL: RowRule = { kind: 'all' };

/**
 * The rule of `x-owner` for one caller (undefined: anonymous). `read`: rows that the caller may see. `change`: rows that
 * the caller may create, change and delete. Throws `UNAUTHENTICATED` when the rule applies to an anonymous caller, who
 * owns nothing.
 */
export function rowRule(
  owner: OwnerRule | undefined,
  principal: Principal | undefined,
  purpose: 'read' | 'change',
): RowRule {
  if (!owner || (purpose === 'read' && owner.reads === 'anyone')) return ALL;
  if (!principal) {
    throw new ApiError('UNAUTHENTICATED', {
      detail: 'Rows here belong to callers: send a bearer token.',
      headers: bearerChallenge(),
    });
  }
  if (owner.scope !== undefined && principal.scopes.has(owner.scope)) return ALL;
  return { kind: 'own', property: owner.property, subject: principal.subject };
}
