import { createPublicKey, type KeyObject, type webcrypto, X509Certificate } from 'node:crypto';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import { algorithmsOf } from './keys.ts';

/** More than any issuer publishes. Each key takes time of the event loop. */
const MAX_KEYS = 100;

/** A public key that verifies tokens. */
export interface VerificationKey {
  /** Equal of equal keys. */
  readonly id: string;
  readonly kid: string | undefined;
  /** SPKI. */
  readonly pem: string;
  readonly algorithms: readonly string[];
}

/**
 * The keys of a JSON Web Key Set (RFC 7517, 5) that are for verifying tokens and of a type that is supported, each once.
 * Throws when it is not a set of keys.
 */
export function verificationKeys(set: unknown, url: URL): VerificationKey[] {
  if (!isPlainObject(set) || !Array.isArray(set['keys']))
    throw new Error(`The answer of ${url} is not a JSON Web Key Set`);
  if (set['keys'].length === 0) throw new Error(`The answer of ${url} has no keys`);
  if (set['keys'].length > MAX_KEYS) throw new Error(`The answer of ${url} has more than ${MAX_KEYS} keys`);
  const found = set['keys'].flatMap((jwk: unknown) => verificationKey(jwk) ?? []);
  return [...new Map(found.map((key) => [key.id, key])).values()];
}

function verificationKey(jwk: unknown): VerificationKey | undefined {
  if (!isPlainObject(jwk) || !isForVerification(jwk)) return undefined;
  const { alg } = jwk;
  const kid = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined;
  try {
    const key = publicKeyOf(jwk);
    const pem = key.export({ type: 'spki', format: 'pem' });
    const algorithms = algorithmsOf(key).filter((algorithm) => alg === undefined || alg === algorithm);
    return algorithms.length === 0 ? undefined : { id: JSON.stringify([kid, algorithms, pem]), kid, pem, algorithms };
  } catch {
    return undefined;
  }
}

/** Some issuers publish a certificate (RFC 7517, 4.7) without the members of its key. */
function publicKeyOf(jwk: Record<string, unknown>): KeyObject {
  const { kty, n, x, x5c: chain } = jwk;
  const [certificate] = n === undefined && x === undefined && Array.isArray(chain) ? chain : [];
  if (typeof certificate !== 'string') return createPublicKey({ key: jwk as webcrypto.JsonWebKey, format: 'jwk' });
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  if (kty !== undefined && kty !== publicKey.export({ format: 'jwk' }).kty) throw new RangeError('another type of key');
  return publicKey;
}

/** A private key (`d`) that has been published cannot be trusted. */
const isForVerification = ({ use, key_ops: operations, d }: Record<string, unknown>): boolean =>
  (use === undefined || use === 'sig') &&
  (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
  d === undefined;
