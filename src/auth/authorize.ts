import type { Access, Requirement } from '../descriptor/access.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Principal } from './principal.ts';

/**
 * Passes when one of the alternatives is met (OpenAPI 3.1, 4.8.30), or none is asked.
 * Throws `UNAUTHENTICATED` for an anonymous caller, `FORBIDDEN` naming the missing scopes.
 */
export function authorize({ anyOf }: Access, principal: Principal | undefined): void {
  if (anyOf.length === 0 || anyOf.some((requirement) => isMet(requirement, principal))) return;
  if (!principal) throw new ApiError('UNAUTHENTICATED', { detail: 'This operation needs a bearer token.' });
  const missing = anyOf.map((requirement) => scopesOf(requirement).filter((scope) => !principal.scopes.has(scope)));
  const fewest = missing.reduce((least, scopes) => (scopes.length < least.length ? scopes : least)).join(' ');
  throw new ApiError('FORBIDDEN', {
    detail: `The token lacks the scope ${fewest}.`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${fewest}"` },
  });
}

const scopesOf = ({ schemes }: Requirement): readonly string[] => schemes.flatMap(({ scopes }) => scopes);

function isMet(requirement: Requirement, principal: Principal | undefined): boolean {
  if (requirement.schemes.length === 0) return true;
  return principal !== undefined && scopesOf(requirement).every((scope) => principal.scopes.has(scope));
}
