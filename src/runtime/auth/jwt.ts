import fastifyJwt, { type FastifyJWTOptions, type JWT, type VerifyOptions } from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { discoverKeySet } from './discovery.ts';
import { invalidToken, notAccepted, REFUSALS } from './invalid-token.ts';
import type { Keys, RemoteKeys } from './keys.ts';
import type { Claims } from './principal.ts';
import { RemoteKeySet } from './remote-key-set.ts';
import type { VerificationKey } from './verification-key.ts';

/** A token with a valid signature. Its claims have not been checked. */
export interface SignedToken {
  /** RFC 7515, 4. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Claims;
  /** Whether the key that has signed it is still one of the issuer's; always if left out. */
  readonly isTrusted?: () => boolean;
}

/**
 * Verifies that a trusted key has signed the token, with an algorithm for its type of key. Synchronous unless the key
 * must be fetched. Throws, or rejects with, `UNAUTHENTICATED`, and `SERVICE_UNAVAILABLE` when keys cannot be fetched.
 */
export type VerifySignature = (token: string) => MaybePromise<SignedToken>;

/** One part of a compact JWS. The unused bits of the last character must be zero (RFC 4648, 3.5). */
const PART = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?';
const COMPACT_JWS = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/**
 * Registers `@fastify/jwt` with the server's keys. It verifies signatures only: `principalOf` checks all claims,
 * including times, by the server's clock and with uniform error messages.
 */
export async function registerJwt(app: FastifyInstance, keys: Keys, clock: () => number): Promise<VerifySignature> {
  await app.register(fastifyJwt, pluginOptions(keys));
  const { jwt } = app;
  if (keys.kind === 'secret' || keys.kind === 'public') return (token) => verified(jwt, wellFormed(token));
  const { keySetOf, close } = keySets(keys, clock);
  app.addHook('onClose', async () => close());
  return (token) => {
    const { header, payload } = decoded(jwt, wellFormed(token));
    const { alg, kid } = header;
    if (!keys.algorithms.includes(alg as string)) throw invalidToken(REFUSALS.algorithm);
    const keySet = keySetOf(payload);
    return whenKnown(keySet.find(alg as string, kid), (found) => {
      const [signed, key] = verifiedByAny(jwt, token, found);
      return { ...signed, isTrusted: () => keySet.holds(key) };
    });
  };
}

/** Issuers may give several keys one `kid` (RFC 7517, 4.5). */
function verifiedByAny(
  jwt: JWT,
  token: string,
  keys: readonly VerificationKey[],
): readonly [SignedToken, VerificationKey] {
  let refusal: unknown;
  for (const key of keys)
    try {
      return [verified(jwt, token, { key: key.pem, ...accepting(key.algorithms) }), key];
    } catch (error) {
      refusal ??= error;
    }
  throw refusal;
}

interface KeySets {
  /** The key set for a token with these claims. Throws `UNAUTHENTICATED` for a token of no issuer that is trusted. */
  keySetOf(claims: Claims): RemoteKeySet;
  close(): void;
}

function keySets(keys: RemoteKeys, clock: () => number): KeySets {
  if (keys.kind === 'remote') {
    const keySet = new RemoteKeySet(() => keys.url, clock);
    return { keySetOf: () => keySet, close: () => keySet.close() };
  }
  const byIssuer = new Map<unknown, RemoteKeySet>(
    keys.issuers.map((issuer) => [issuer, new RemoteKeySet((signal) => discoverKeySet(issuer, signal), clock)]),
  );
  return {
    keySetOf({ iss }) {
      const keySet = byIssuer.get(iss);
      if (!keySet) throw invalidToken(notAccepted('iss'));
      return keySet;
    },
    close() {
      for (const keySet of byIssuer.values()) keySet.close();
    },
  };
}

function pluginOptions(keys: Keys): FastifyJWTOptions {
  const common: Omit<FastifyJWTOptions, 'secret'> = {
    decode: { complete: true },
    verify: { ...accepting(keys.algorithms), complete: true, ignoreExpiration: true, ignoreNotBefore: true },
  };
  if (keys.kind === 'secret') return { ...common, secret: keys.key.export(), sign: { algorithm: 'HS256' } };
  if (keys.kind === 'public')
    return { ...common, secret: { public: keys.key.export({ type: 'spki', format: 'pem' }) } };
  return { ...common, secret: { public: noFixedKey } };
}

/** The plugin requires a key, but a token of a remote issuer names its own. */
const noFixedKey = (): never => {
  throw new Error('The key of a token must be found by its kid.');
};

/** The plugin verifies `Ed25519`, the newer name of `EdDSA` with such a key (RFC 9864), but its types lack it. */
const accepting = (algorithms: readonly string[]): Pick<Partial<VerifyOptions>, 'algorithms'> => ({
  algorithms: algorithms as NonNullable<VerifyOptions['algorithms']>,
});

function wellFormed(token: string): string {
  if (COMPACT_JWS.test(token)) return token;
  throw invalidToken(REFUSALS.malformed);
}

function decoded(jwt: JWT, token: string): SignedToken {
  try {
    return jwt.decode<SignedToken>(token)!;
  } catch (error) {
    throw invalidToken(REFUSALS.malformed, error);
  }
}

function verified(jwt: JWT, token: string, options?: Partial<VerifyOptions>): SignedToken {
  try {
    return jwt.verify<SignedToken>(token, options);
  } catch (error) {
    throw invalidToken(refusalOf(error), error);
  }
}

/** Explains the library's error codes to the holder of the token. */
function refusalOf(error: unknown): string {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'FAST_JWT_INVALID_ALGORITHM':
      return REFUSALS.algorithm;
    case 'FAST_JWT_INVALID_SIGNATURE':
    case 'FAST_JWT_MISSING_SIGNATURE':
    case 'FAST_JWT_VERIFY_ERROR':
      return REFUSALS.untrusted;
    case 'FAST_JWT_INVALID_CRIT_HEADER':
      return notAccepted('crit');
    default:
      return REFUSALS.malformed;
  }
}
