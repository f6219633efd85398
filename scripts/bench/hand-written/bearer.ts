import { createVerifier } from 'fast-jwt';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, unauthenticated } from './problem.ts';

/** Gives the claims of a token; throws when it is not valid. */
export type VerifyToken = (token: string) => { readonly exp: number; readonly scope?: unknown };

interface Verified {
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

const MAX_CACHED = 10_000;

const cache = new Map<string, Verified>();

export const tokenVerifier = (secret: Buffer): VerifyToken =>
  createVerifier({ key: secret, algorithms: ['HS256'], requiredClaims: ['exp', 'sub'] });

/** A hook that lets tokens with the scope pass. */
export function requireScope(scope: string, verifyToken: VerifyToken): (request: FastifyRequest) => Promise<void> {
  return ({ headers: { authorization } }) => checkScope(authorization, scope, verifyToken);
}

/** Rejects with a problem for callers whose token lacks the scope; a token is verified once. */
export async function checkScope(
  authorization: string | undefined,
  scope: string,
  verifyToken: VerifyToken,
): Promise<void> {
  if (authorization === undefined) {
    throw unauthenticated('This operation needs a bearer token.', `Bearer realm="api", scope="${scope}"`);
  }
  let verified = cache.get(authorization);
  if (!verified || verified.expiresAtMs <= Date.now()) {
    verified = verify(authorization, verifyToken);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(authorization, verified);
  }
  if (verified.scopes.includes(scope)) return;
  throw new HttpProblem(403, 'FORBIDDEN', 'Forbidden', `The token lacks the scope ${scope}.`, {
    'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${scope}"`,
  });
}

function verify(authorization: string, verifyToken: VerifyToken): Verified {
  try {
    const [scheme, token] = authorization.split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw new TypeError('no bearer token');
    const { scope, exp } = verifyToken(token);
    return { scopes: String(scope ?? '').split(' '), expiresAtMs: exp * 1000 };
  } catch {
    throw unauthenticated('The token is not accepted.', 'Bearer realm="api", error="invalid_token"');
  }
}
