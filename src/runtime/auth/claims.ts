import { errors, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { Principal } from './principal.ts';

const MAX_SUBJECT_LENGTH = 255;

/** Types of token that grant access here; none is as good as `JWT` (RFC 7519, 5.1; RFC 9068, 2.1). */
const ACCEPTED_TYPES = new Set(['jwt', 'at+jwt']);

/**
 * The caller that verified claims describe. Throws `JWTClaimValidationFailed` naming the claim or header
 * parameter that is not what RFC 7519 says, or that this server does not understand.
 */
export function principalOf(header: JWTHeaderParameters, claims: JWTPayload): Principal {
  check(header.crit === undefined, 'crit', claims);
  check(header.typ === undefined || isAcceptedType(header.typ), 'typ', claims);
  const { sub, exp } = claims;
  check(isSubject(sub), 'sub', claims);
  // JSON's 1e999 is read as infinity: a token for ever.
  check(typeof exp === 'number' && Number.isFinite(exp), 'exp', claims);
  return { subject: sub, scopes: new Set(scopesOf(claims)), expiresAtMs: exp * 1000 };
}

function check(isAccepted: boolean, claim: string, claims: JWTPayload): asserts isAccepted {
  if (!isAccepted) throw new errors.JWTClaimValidationFailed(`unexpected ${claim}`, claims, claim);
}

function isAcceptedType(type: unknown): boolean {
  return typeof type === 'string' && ACCEPTED_TYPES.has(type.toLowerCase().replace(/^application\//, ''));
}

function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH && sub.isWellFormed();
}

/** `scope` is a string of scopes with spaces between (RFC 8693, 4.2); `scp`, without it, the same or an array of them. */
function scopesOf(claims: JWTPayload): readonly string[] {
  const { scope, scp } = claims;
  if (scope === undefined && Array.isArray(scp)) {
    check(
      scp.every((item) => typeof item === 'string'),
      'scp',
      claims,
    );
    return scp;
  }
  const list = scope ?? scp ?? '';
  check(typeof list === 'string', scope === undefined ? 'scp' : 'scope', claims);
  return list.split(' ').filter((item) => item !== '');
}
