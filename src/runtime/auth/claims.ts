import { invalidToken, notAccepted, REFUSALS } from './invalid-token.ts';
import type { SignedToken } from './jwt.ts';
import type { Claims, Principal } from './principal.ts';

/** Whom tokens must come from, and be for. */
export interface ClaimRules {
  /** The only `iss` accepted; any, if left out. */
  readonly issuer?: string | undefined;
  /** A token's `aud` must include it; any passes, if left out. */
  readonly audience?: string | undefined;
}

const MAX_SUBJECT_LENGTH = 255;

/** Types of token that grant access here; none is as good as `JWT` (RFC 7519, 5.1; RFC 9068, 2.1). */
const ACCEPTED_TYPES = new Set(['jwt', 'at+jwt']);

/**
 * The caller that a signed token describes. Throws `UNAUTHENTICATED` naming the claim or header parameter that is not
 * what RFC 7519 says, or that this server does not accept.
 */
export function principalOf({ header, payload }: SignedToken, rules: ClaimRules, nowMs: number): Principal {
  // Nothing is understood that a token declares critical, nor a payload that is not base64url (RFC 7797).
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

/** Seconds since the epoch. JSON's 1e999 is read as infinity: as `exp`, a token for ever. */
const isNumericDate = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** `scope` is a string of scopes with spaces between (RFC 8693, 4.2); `scp`, without it, the same or an array of them. */
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
