/** Protection space named in every challenge (RFC 9110, 11.5). */
const REALM = 'api';

/** A scope as the quoted `scope` attribute may contain it (RFC 6749, 3.3). */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * The `WWW-Authenticate` field that asks for a bearer token, or for a different one (RFC 6750, 3). Without `error`, the
 * request had no credentials. `scopes` are those that the operation requires.
 */
export function bearerChallenge(
  error?: 'invalid_token' | 'insufficient_scope',
  scopes: readonly string[] = [],
): Readonly<Record<string, string>> {
  const attributes = [`realm="${REALM}"`];
  if (error) attributes.push(`error="${error}"`);
  const printable = scopes.filter((scope) => SCOPE_TOKEN.test(scope));
  if (printable.length > 0) attributes.push(`scope="${printable.join(' ')}"`);
  return { 'www-authenticate': `Bearer ${attributes.join(', ')}` };
}
