/** Protection space named in every challenge (RFC 9110, 11.5). */
const REALM = 'api';

/** A scope that fits between the quotes of the `scope` attribute (RFC 6749, 3.3). */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * `WWW-Authenticate` for a caller who must show a bearer token or another one (RFC 6750, 3).
 * Without `error`: the request had no credentials at all. `scopes` are those the operation needs.
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
