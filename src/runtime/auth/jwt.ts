import fastifyJwt, { type FastifyJWTOptions, type JWT, type VerifyOptions } from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { invalidToken, notAccepted, REFUSALS } from './invalid-token.ts';
import type { Keys } from './keys.ts';
import type { Claims } from './principal.ts';
import { RemoteKeySet } from './remote-key-set.ts';

/** A token with a good signature; its claims are yet to be judged. */
export interface SignedToken {
  /** RFC 7515, 4. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Claims;
}

/**
 * Checks that a trusted key has signed the token with an algorithm of its kind; at once, where the key is known.
 * Throws, or rejects with, `UNAUTHENTICATED`, and `SERVICE_UNAVAILABLE` when the keys cannot be fetched.
 */
export type VerifySignature = (token: string) => MaybePromise<SignedToken>;

/** One part of a compact JWS. The last character has no bits to spare: RFC 4648, 3.5. */
const PART = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?';
const COMPACT_JWS = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/**
 * Registers `@fastify/jwt` with the server's keys. It answers for signatures alone: what a token says, its times
 * included, is judged by `principalOf`, with the clock of the server and the same words for every claim.
 */
export async function registerJwt(app: FastifyInstance, keys: Keys, clock: () => Date): Promise<VerifySignature> {
  await app.register(fastifyJwt, pluginOptions(keys));
  const { jwt } = app;
  if (keys.kind !== 'remote') return (token) => verified(jwt, wellFormed(token));
  const keySet = new RemoteKeySet(keys.url, clock);
  return (token) => {
    const { alg, kid } = decoded(jwt, wellFormed(token)).header;
    if (!keys.algorithms.includes(alg as string)) throw invalidToken(REFUSALS.algorithm);
    const found = keySet.find(alg as string, kid);
    return whenKnown(found, ({ pem, algorithms }) => verified(jwt, token, { key: pem, ...accepting(algorithms) }));
  };
}

function pluginOptions(keys: Keys): FastifyJWTOptions {
  const common: Omit<FastifyJWTOptions, 'secret'> = {
    decode: { complete: true },
    verify: { ...accepting(keys.algorithms), complete: true, ignoreExpiration: true, ignoreNotBefore: true },
  };
  if (keys.kind === 'secret') return { ...common, secret: keys.key.export(), sign: { algorithm: 'HS256' } };
  if (keys.kind === 'remote') return { ...common, secret: { public: noFixedKey } };
  return { ...common, secret: { public: keys.key.export({ type: 'spki', format: 'pem' }) } };
}

/** Stands where the plugin wants a key: each token of a remote issuer brings the name of its own. */
const noFixedKey = (): never => {
  throw new Error('The key of a token is found by its kid.');
};

/** `Ed25519`, the newer name of `EdDSA` with such a key (RFC 9864), is verified, but missing in the plugin's types. */
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

/** What the library's codes mean to the holder of the token. */
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
