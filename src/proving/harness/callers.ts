import { createDecoder } from 'fast-jwt';
import type { Access } from '../../descriptor/access.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { type Claims, type SecretKeys, secretKeys, signToken, type TokenClaims } from '../../runtime/auth/index.ts';

/** A kind of caller; the same token goes to every protocol. */
export interface Caller {
  readonly name: string;
  readonly subject: string | undefined;
  /** Undefined when the request has no `Authorization` header. */
  readonly authorization: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** Those of its token. */
  readonly claims: Claims;
  /** Whether the server must reject the credentials. */
  readonly isInvalid?: boolean;
}

export const ANONYMOUS: Caller = {
  name: 'anonymous',
  subject: undefined,
  authorization: undefined,
  scopes: new Set(),
  claims: {},
};

/** Those of the servers that the harness starts. */
export const keys: SecretKeys = secretKeys('a secret for the proof of parity, known to nobody else');

const YEAR_S = 366 * 86_400;

/** A caller whose token the servers of the harness accept, by default for a year. */
export const signedCaller = (name: string, claims: Omit<TokenClaims, 'expiresInSeconds'>, seconds = YEAR_S): Caller =>
  callerOf(name, signToken(keys, { ...claims, expiresInSeconds: seconds }));

const decode = createDecoder();

/** The caller that a token stands for. Throws `ConfigError` when it is not a JWT. */
export function callerOf(name: string, token: string): Caller {
  try {
    const claims = decode(token) as Claims & { readonly sub?: string; readonly scope?: string | readonly string[] };
    const { sub, scope = [] } = claims;
    const scopes = typeof scope === 'string' ? scope.split(' ') : scope;
    return { name, subject: sub, authorization: `Bearer ${token}`, scopes: new Set(scopes), claims };
  } catch {
    throw new ConfigError([`The token of ${name} is not a JWT.`]);
  }
}

/** Whether `security` lets a caller in: by one alternative, whose scopes it has. */
export function admits({ anyOf }: Access, { authorization, scopes }: Caller): boolean {
  if (anyOf.length === 0) return true;
  return anyOf.some(({ schemes }) =>
    schemes.every((scheme) => authorization !== undefined && scheme.scopes.every((scope) => scopes.has(scope))),
  );
}
