export { principalOf } from './claims.ts';
export { developmentKeys, hasDevelopmentKeys } from './development-key.ts';
export { type Keys, type SecretKeys, secretKeys } from './keys.ts';
export type { Claims, Principal } from './principal.ts';
export type { CredentialsRequest, SecurityHandler } from './security-handler.ts';
export { signToken, type TokenClaims } from './sign-token.ts';
