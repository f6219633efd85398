import type { Principal } from './principal.ts';

/** Everything about a caller as text: callers with equal texts cannot be distinguished, not even by hand-written code. */
export function identityText(principal: Principal | undefined): string {
  if (!principal) return 'anonymous';
  const { subject, scopes, expiresAtMs, claims = {} } = principal;
  return JSON.stringify([subject, [...scopes].sort(), expiresAtMs, claims]);
}
