import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Keys that tokens are verified with. The type of key determines the algorithms, never the token's header (RFC 8725,
 * 3.1). A `secret` also signs tokens, for this service only.
 */
export type Keys =
  | { readonly kind: 'secret'; readonly key: KeyObject; readonly algorithms: readonly ['HS256'] }
  | { readonly kind: 'public'; readonly key: KeyObject; readonly algorithms: readonly string[] }
  | { readonly kind: 'remote'; readonly url: URL; readonly algorithms: readonly string[] }
  | { readonly kind: 'issuers'; readonly issuers: readonly string[]; readonly algorithms: readonly string[] };

export type SecretKeys = Extract<Keys, { kind: 'secret' }>;
export type RemoteKeys = Extract<Keys, { kind: 'remote' | 'issuers' }>;

/** A key must be at least as long as the hash (RFC 7518, 3.2). */
export const MIN_SECRET_BYTES = 32;
const MIN_RSA_BITS = 2048;

const EDWARDS = ['EdDSA', 'Ed25519'];
const REMOTE = ['RS256', 'PS256', 'ES256', ...EDWARDS];

/** Throws `RangeError` for fewer than `MIN_SECRET_BYTES` bytes of UTF-8. */
export function secretKeys(secret: string): SecretKeys {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < MIN_SECRET_BYTES) throw new RangeError(`a secret of at least ${MIN_SECRET_BYTES} bytes`);
  return { kind: 'secret', key: createSecretKey(bytes), algorithms: ['HS256'] };
}

/**
 * `pem` is a public key in PEM (SPKI); its line breaks may be written as `\n`. Throws `RangeError` for a private key, for
 * anything that is not a key, and for a type of key that no supported algorithm uses.
 */
export function publicKeys(pem: string): Keys {
  const text = pem.replaceAll('\\n', '\n');
  if (text.includes('PRIVATE KEY')) throw new RangeError('a public key, not a private one');
  const key = parsePublicKey(text);
  return { kind: 'public', key, algorithms: algorithmsOf(key) };
}

/** The JSON Web Key Set (RFC 7517) that an issuer publishes, with keys of any supported type. */
export function remoteKeys(url: URL): Keys {
  return { kind: 'remote', url, algorithms: REMOTE };
}

/** The key sets of issuers, which are found by the issuers' URLs. A token is verified by those of its own issuer alone. */
export function issuerKeys(issuers: readonly string[]): Keys {
  return { kind: 'issuers', issuers, algorithms: REMOTE };
}

function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new RangeError('a public key in PEM');
  }
}

/** Throws `RangeError` for a type of key that no supported algorithm uses. */
export function algorithmsOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): readonly string[] {
  const isLongEnough = (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
  if (type === 'rsa' && isLongEnough) return ['RS256', 'PS256'];
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return ['ES256'];
  if (type === 'ed25519') return EDWARDS;
  throw new RangeError(`an RSA key of at least ${MIN_RSA_BITS} bits, a P-256 or an Ed25519 one`);
}
