import { invalidToken, notAccepted, REFUSALS } from './invalid-token.ts';
import type { SignedToken } from './jwt.ts';
import type { Claims, Principal } from './principal.ts';

/** The issuer and the audience that tokens must have. */
export interface ClaimRules {
  /** The only `iss` that is accepted; any if left out. */
  readonly issuer?: string | undefined;
  /** What a token's `aud` must include; any `aud` is accepted if left out. */
  readonly audience?: string | undefined;
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
  check(rules.issuer === undefined || iss === rules.issuer, 'iss');
  check(rules.audience === undefined || includes(aud, rules.audience), 'aud');
  check(isSubject(sub), 'sub');
  check(iat === undefined || isNumericDate(iat), 'iat');
  check(nbf === undefined || (isNumericDate(nbf) && nbf * 1000 <= nowMs), 'nbf');
  check(isNumericDate(exp), 'exp');
  const expiresAtMs = exp * 1000;
  if (expiresAtMs <= nowMs) throw invalidToken(REFUSALS.expired);
  return { subject: sub, scopes: new Set(scopesOf(payload)), expiresAtMs, claims: payload };
}

function check(isAccepted: boolean, name: string): asserts isAccepted {
  if (!isAccepted) throw invalidToken(notAccepted(name));
}

function isAcceptedType(type: unknown): boolean {
  return typeof type === 'string' && ACCEPTED_TYPES.has(type.toLowerCase().replace(/^application\//, ''));
}

const includes = (aud: unknown, audience: string): boolean =>
  aud === audience || (Array.isArray(aud) && aud.includes(audience));

function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH && sub.isWellFormed();
}

/** Seconds since the epoch. `JSON.parse` reads 1e999 as infinity, with which a token would never expire. */
const isNumericDate = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** `scope` has scopes separated by spaces (RFC 8693, 4.2). Without it, `scp` has the same, or an array of scopes. */
function scopesOf({ scope, scp }: Claims): readonly string[] {
  if (scope === undefined && Array.isArray(scp)) {
    check(
      scp.every((item) => typeof item === 'string'),
      'scp',
    );
    return scp;
  }
  const list = scope ?? scp ?? '';
  check(typeof list === 'string', scope === undefined ? 'scp' : 'scope');
  return list.split(' ').filter((item) => item !== '');
}
