import type { FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import { HttpProblem, unauthenticated } from './problem.ts';

interface Verified {
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

const MAX_CACHED = 10_000;

const cache = new Map<string, Verified>();

/** A hook that lets tokens with the scope pass. */
export function requireScope(scope: string, secret: Uint8Array): (request: FastifyRequest) => Promise<void> {
  return ({ headers: { authorization } }) => checkScope(authorization, scope, secret);
}

/** Rejects with a problem for callers whose token lacks the scope; a token is verified once. */
export async function checkScope(authorization: string | undefined, scope: string, secret: Uint8Array): Promise<void> {
  if (authorization === undefined) {
    throw unauthenticated('This operation needs a bearer token.', `Bearer realm="api", scope="${scope}"`);
  }
  let verified = cache.get(authorization);
  if (!verified || verified.expiresAtMs <= Date.now()) {
    verified = await verify(authorization, secret);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(authorization, verified);
  }
  if (verified.scopes.includes(scope)) return;
  throw new HttpProblem(403, 'FORBIDDEN', 'Forbidden', `The token lacks the scope ${scope}.`, {
    'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${scope}"`,
  });
}

async function verify(authorization: string, secret: Uint8Array): Promise<Verified> {
  try {
    const [scheme, token] = authorization.split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw new TypeError('no bearer token');
    const options = { algorithms: ['HS256'], requiredClaims: ['exp', 'sub'] };
    const { payload } = await jwtVerify(token, secret, options);
    return { scopes: String(payload['scope'] ?? '').split(' '), expiresAtMs: payload.exp! * 1000 };
  } catch {
    throw unauthenticated('The token is not accepted.', 'Bearer realm="api", error="invalid_token"');
  }
}
