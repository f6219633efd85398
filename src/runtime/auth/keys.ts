import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * What tokens are verified with. The kind of key fixes the algorithms, never the token's header (RFC 8725, 3.1).
 * `secret` also signs: the tokens of this service alone.
 */
export type Keys =
  | { readonly kind: 'secret'; readonly key: KeyObject; readonly algorithms: readonly ['HS256'] }
  | { readonly kind: 'public'; readonly key: KeyObject; readonly algorithms: readonly string[] }
  | { readonly kind: 'remote'; readonly url: URL; readonly algorithms: readonly string[] };

export type SecretKeys = Extract<Keys, { kind: 'secret' }>;

/** RFC 7518, 3.2: a key of at least the hash's size. */
export const MIN_SECRET_BYTES = 32;
const MIN_RSA_BITS = 2048;

const EDWARDS = ['EdDSA', 'Ed25519'];

/** Throws `RangeError` for fewer than `MIN_SECRET_BYTES` bytes of UTF-8. */
export function secretKeys(secret: string): SecretKeys {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < MIN_SECRET_BYTES) throw new RangeError(`a secret of at least ${MIN_SECRET_BYTES} bytes`);
  return { kind: 'secret', key: createSecretKey(bytes), algorithms: ['HS256'] };
}

/**
 * `pem`: a public key in PEM (SPKI), its line breaks written as such or as `\n`.
 * Throws `RangeError` for a private key, for anything that is no key, and for a kind no algorithm here uses.
 */
export function publicKeys(pem: string): Keys {
  const text = pem.replaceAll('\\n', '\n');
  if (text.includes('PRIVATE KEY')) throw new RangeError('a public key, not a private one');
  const key = parsePublicKey(text);
  return { kind: 'public', key, algorithms: algorithmsOf(key) };
}

/** A JSON Web Key Set (RFC 7517) that the issuer publishes; keys of every supported kind. */
export function remoteKeys(url: URL): Keys {
  return { kind: 'remote', url, algorithms: ['RS256', 'PS256', 'ES256', ...EDWARDS] };
}

function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new RangeError('a public key in PEM');
  }
}

/** Throws `RangeError` for a kind of key that no algorithm here uses. */
export function algorithmsOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): readonly string[] {
  const isLongEnough = (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
  if (type === 'rsa' && isLongEnough) return ['RS256', 'PS256'];
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return ['ES256'];
  if (type === 'ed25519') return EDWARDS;
  throw new RangeError(`an RSA key of at least ${MIN_RSA_BITS} bits, a P-256 or an Ed25519 one`);
}
