export { claimAt, claimsFor, isSubject, withClaim } from './claims.ts';
export { plainScopesOf, scopesOf } from './scopes.ts';
export { tenantClaims, tenantsOf } from './tenant-claims.ts';
