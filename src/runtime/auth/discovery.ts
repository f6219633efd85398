import { fetchJson } from './fetch-json.ts';
import { isTrustworthy } from './issuer.ts';

/**
 * The URL of an issuer's key set, as the issuer's metadata names it (OpenID Connect Discovery 1.0, 4; RFC 8414, 3).
 * Rejects when the metadata cannot be fetched, or is another issuer's.
 */
export async function discoverKeySet(issuer: string, signal: AbortSignal): Promise<URL> {
  const metadata = await metadataOf(issuer, signal);
  // Whoever can publish under a path of the issuer must not be able to speak for it (RFC 8414, 3.3).
  if (metadata.issuer !== issuer) throw new Error(`The metadata of ${issuer} is that of ${String(metadata.issuer)}`);
  const url = URL.parse(String(metadata.jwks_uri));
  if (!url || !isTrustworthy(url)) throw new Error(`The metadata of ${issuer} has no \`jwks_uri\` by https`);
  return url;
}

interface Metadata {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

/** Issuers that know OAuth alone do not publish what OpenID Connect names. */
async function metadataOf(issuer: string, signal: AbortSignal): Promise<Metadata> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const openId = new URL(`${origin}${path}/.well-known/openid-configuration`);
  const oauth = new URL(`${origin}/.well-known/oauth-authorization-server${path}`);
  const fetched = await fetchJson(openId, 'application/json', signal).catch((error: unknown) =>
    fetchJson(oauth, 'application/json', signal).catch(() => Promise.reject(error)),
  );
  return Object(fetched) as Metadata;
}
