import { isPlainObject } from '../../descriptor/plain-object.ts';
import { invalidToken, notAccepted, REFUSALS } from './invalid-token.ts';
import type { SignedToken } from './jwt.ts';
import type { Claims, Principal } from './principal.ts';

/** The issuer and the audience that tokens must have. */
export interface ClaimRules {
  /** The values of `iss` that are accepted; any if left out. */
  readonly issuers?: readonly string[] | undefined;
  /** What a token's `aud` must include, or one of these; any `aud` is accepted if left out. */
  readonly audience?: string | readonly string[] | undefined;
  /** The claims that hold scopes, if not `scope` or `scp`: names, or paths as `realm_access.roles`. */
  readonly scopeClaims?: readonly string[] | undefined;
  /** How far the clock of an issuer may be from this one, for `nbf` and `exp`; not at all if left out. */
  readonly leewayMs?: number | undefined;
}

const MAX_SUBJECT_LENGTH = 255;

/** Types of token that are accepted. A token without a type is, too (RFC 7519, 5.1; RFC 9068, 2.1). */
const ACCEPTED_TYPES = new Set(['jwt', 'at+jwt']);

/**
 * The caller that a signed token describes. Throws `UNAUTHENTICATED` naming the claim or header parameter that does not
 * conform to RFC 7519, or that this server does not accept.
 */
export function principalOf({ header, payload }: SignedToken, rules: ClaimRules, nowMs: number): Principal {
  // No critical extension is supported, nor a payload that is not base64url (RFC 7797).
  check(header['crit'] === undefined && header['b64'] === undefined, 'crit');
  check(header['typ'] === undefined || isAcceptedType(header['typ']), 'typ');
  const { iss, aud, sub, iat, nbf, exp } = payload;
  const { leewayMs = 0 } = rules;
  check(rules.issuers === undefined || rules.issuers.includes(iss as string), 'iss');
  check(rules.audience === undefined || includes(aud, rules.audience), 'aud');
  check(isSubject(sub), 'sub');
  check(iat === undefined || isNumericDate(iat), 'iat');
  check(nbf === undefined || (isNumericDate(nbf) && nbf * 1000 <= nowMs + leewayMs), 'nbf');
  check(isNumericDate(exp), 'exp');
  const expiresAtMs = exp * 1000 + leewayMs;
  if (expiresAtMs <= nowMs) throw invalidToken(REFUSALS.expired);
  return { subject: sub, scopes: new Set(scopesOf(payload, rules.scopeClaims)), expiresAtMs, claims: payload };
}

function check(isAccepted: boolean, name: string): asserts isAccepted {
  if (!isAccepted) throw invalidToken(notAccepted(name));
}

function isAcceptedType(type: unknown): boolean {
  return typeof type === 'string' && ACCEPTED_TYPES.has(type.toLowerCase().replace(/^application\//, ''));
}

function includes(aud: unknown, audience: string | readonly string[]): boolean {
  const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return typeof audience === 'string' ? given.includes(audience) : audience.some((one) => given.includes(one));
}

function isSubject(sub: unknown): sub is string {
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH) return false;
  // No database stores other texts.
  return sub.isWellFormed() && !sub.includes('\0');
}

/** Seconds since the epoch. `JSON.parse` reads 1e999 as infinity, with which a token would never expire. */
const isNumericDate = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/**
 * `scope` has scopes separated by spaces (RFC 8693, 4.2), or an array of them. Without it, `scp` has the same; so have the
 * claims that are named in their place, of which a token may lack some.
 */
function scopesOf(claims: Claims, named: readonly string[] | undefined): readonly string[] {
  if (named) return named.flatMap((name) => scopesIn(claimAt(claims, name), name));
  const name = claims['scope'] == null ? 'scp' : 'scope';
  return scopesIn(claims[name], name);
}

function scopesIn(claim: unknown, name: string): readonly string[] {
  if (Array.isArray(claim)) {
    check(
      claim.every((item) => typeof item === 'string'),
      name,
    );
    return claim;
  }
  const list = claim ?? '';
  check(typeof list === 'string', name);
  return list.split(' ').filter((item) => item !== '');
}

/** The claim of that name, or the member of a claim that a path names: names of claims contain dots, too (RFC 7519, 4.2). */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const [name, ...rest] = splits(path).find(([head]) => Object.hasOwn(claims, head)) ?? [];
  const value = name === undefined ? undefined : claims[name];
  return rest.length > 0 && isPlainObject(value) ? claimAt(value, rest.join('.')) : undefined;
}

/** The path split at each of its dots, the longest first part first. */
function splits(path: string): readonly (readonly [string, string])[] {
  const dots = [...path.matchAll(/\./g)].map(({ index }) => index).reverse();
  return dots.map((at) => [path.slice(0, at), path.slice(at + 1)] as const);
}
