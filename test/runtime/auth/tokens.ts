import { constants, createHmac, type KeyObject, sign } from 'node:crypto';
import fastify from 'fastify';
import {
  type Authenticate,
  type Authentication,
  registerAuthentication,
} from '../../../src/runtime/auth/authenticator.ts';
import type { Keys } from '../../../src/runtime/auth/keys.ts';

export const SECRET = 'a secret that nobody guesses, of 44 bytes...';
export const NOW = new Date('2026-03-01T12:00:00Z');
export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'https://api.example';

const seconds = NOW.getTime() / 1000;

/** Claims that are accepted. */
export const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', scope: 'a b', exp: seconds + 60, iat: seconds };
export const HEADER = { alg: 'HS256', typ: 'JWT' };

export const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** A compact JWS made by hand, so that anything can stand in it. `header` and `payload` are objects or raw text. */
export function forge(header: object | string, payload: object | string, secret: string | Buffer = SECRET): string {
  const text = (part: object | string) => (typeof part === 'string' ? part : JSON.stringify(part));
  const input = `${base64url(text(header))}.${base64url(text(payload))}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** What each algorithm asks of `crypto.sign`. */
const SIGNATURES = {
  RS256: { hash: 'sha256' },
  PS256: { hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { hash: null },
  Ed25519: { hash: null },
} as const;

export type PublicAlgorithm = keyof typeof SIGNATURES;

/** A compact JWS by a private key; `alg` is the header's, unless the header has its own. */
export function signWith(key: KeyObject, alg: PublicAlgorithm, payload: object, header: object = {}): string {
  const input = `${base64url(JSON.stringify({ alg, ...header }))}.${base64url(JSON.stringify(payload))}`;
  const { hash, ...options } = SIGNATURES[alg];
  return `${input}.${sign(hash, Buffer.from(input), { key, ...options }).toString('base64url')}`;
}

/** The authentication of a server that does nothing else. */
export const authenticatorOf = (keys: Keys, settings: Omit<Authentication, 'keys'> = {}): Promise<Authenticate> =>
  registerAuthentication(fastify(), { keys, ...settings }, Date.now);

/** `CLAIMS` as JSON text with one more member, written as given: `1e999`, which no object holds. */
export const withRaw = (name: string, raw: string): string => {
  const { [name as keyof typeof CLAIMS]: _, ...rest } = CLAIMS;
  return `${JSON.stringify(rest).slice(0, -1)},"${name}":${raw}}`;
};

export const nowSeconds = seconds;
