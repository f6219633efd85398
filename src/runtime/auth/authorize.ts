import type { Access, Requirement } from '../../descriptor/access.ts';
import { ApiError } from '../errors/api-error.ts';
import { bearerChallenge } from './bearer-challenge.ts';
import type { Principal } from './principal.ts';

/**
 * Returns if the caller meets every requirement of one alternative of the operation's `security`. Else throws
 * `UNAUTHENTICATED` for an anonymous caller (undefined), and `FORBIDDEN` with the missing scopes for any other.
 */
export function authorize(access: Access, principal: Principal | undefined): void {
  createAuthorizer(access)(principal);
}

/** `authorize` for one access. All anonymous callers get the same error, which is created once. */
export function createAuthorizer(access: Access): (principal: Principal | undefined) => void {
  let anonymous: ApiError | undefined;
  return (principal) => {
    if (isAuthorized(access, principal)) return;
    if (principal !== undefined) throw forbidden(access, principal);
    anonymous ??= unauthenticated(access);
    throw anonymous;
  };
}

/** Whether `authorize` returns. */
export function isAuthorized({ anyOf }: Access, principal: Principal | undefined): boolean {
  if (anyOf.length === 0) return true;
  for (const requirement of anyOf) {
    if (isMet(requirement, principal)) return true;
  }
  return false;
}

function isMet(requirement: Requirement, principal: Principal | undefined): boolean {
  if (principal === undefined) return requirement.schemes.length === 0;
  return requirement.schemes.every((scheme) => scheme.scopes.every((scope) => principal.scopes.has(scope)));
}

function unauthenticated({ anyOf: [first] }: Access): ApiError {
  return new ApiError('UNAUTHENTICATED', {
    detail: 'This operation needs a bearer token.',
    headers: bearerChallenge(undefined, first && scopesOf(first)),
  });
}

/** Names the alternative for which the fewest scopes are missing. */
function forbidden(access: Access, principal: Principal): ApiError {
  const missing = (scopes: readonly string[]) => scopes.filter((scope) => !principal.scopes.has(scope));
  const nearest = access.anyOf
    .map(scopesOf)
    .reduce((best, scopes) => (missing(scopes).length < missing(best).length ? scopes : best));
  return new ApiError('FORBIDDEN', {
    detail: `The token lacks the scope ${missing(nearest).join(', ')}.`,
    headers: bearerChallenge('insufficient_scope', nearest),
  });
}

function scopesOf(requirement: Requirement): readonly string[] {
  return [...new Set(requirement.schemes.flatMap((scheme) => scheme.scopes))];
}
