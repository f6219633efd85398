import type { Access, Requirement } from '../../descriptor/access.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { authorize } from './authorize.ts';
import type { Principal } from './principal.ts';
import type { CredentialsRequest, Identify } from './security-handler.ts';

/** The caller as identified by each security scheme. */
export type Identified = ReadonlyMap<string, Principal>;

/**
 * Identifies the caller of an operation that accepts several kinds of credentials. An alternative of its `security` is
 * considered only if the request has all credentials that it names. Credentials of one scheme never satisfy another.
 * Rejects with `FORBIDDEN` for an identified caller who lacks scopes.
 */
export function identifyByAny(access: Access, schemes: ReadonlyMap<string, Identify>): Identify {
  const closed = access.anyOf.filter(isClosed);
  return async (request) => {
    const identified = new Map<string, Principal>();
    for (const alternative of closed) {
      const hasAll = await isPresent(alternative, schemes, request, identified);
      if (hasAll && isMet(alternative, identified)) return caller(alternative, identified);
    }
    return callerAmong(access, identified);
  };
}

/** The same for a request whose credentials have already been read. Throws `FORBIDDEN`. */
export function callerAmong({ anyOf }: Access, identified: Identified): Principal | undefined {
  const closed = anyOf.filter(isClosed);
  const present = closed.filter(({ schemes }) => schemes.every(({ name }) => identified.has(name)));
  const met = present.find((alternative) => isMet(alternative, identified));
  if (met) return caller(met, identified);
  const isOpen = closed.length < anyOf.length;
  if (present[0] && !isOpen) refuse(present[0], identified);
  return isOpen ? identified.values().next().value : undefined;
}

const isClosed = ({ schemes }: Requirement): boolean => schemes.length > 0;

/** Whether the request has all credentials of an alternative. Adds those that it reads to `identified`. */
async function isPresent(
  alternative: Requirement,
  schemes: ReadonlyMap<string, Identify>,
  request: CredentialsRequest,
  identified: Map<string, Principal>,
): Promise<boolean> {
  for (const { name } of alternative.schemes) {
    const principal = identified.get(name) ?? (await lookUp(schemes, name)(request));
    if (!principal) return false;
    identified.set(name, principal);
  }
  return true;
}

const isMet = ({ schemes }: Requirement, identified: Identified): boolean =>
  schemes.every(({ name, scopes }) => scopes.every((scope) => lookUp(identified, name).scopes.has(scope)));

/** Combines all credentials into one caller, with the subject of the first, whose claims take precedence. */
function caller(alternative: Requirement, identified: Identified): Principal {
  const principals = principalsOf(alternative, identified);
  const [{ subject }] = principals;
  const claims = Object.fromEntries(principals.toReversed().flatMap(({ claims = {} }) => Object.entries(claims)));
  return {
    subject,
    scopes: new Set(principals.flatMap(({ scopes }) => [...scopes])),
    expiresAtMs: Math.min(...principals.map(({ expiresAtMs }) => expiresAtMs)),
    claims,
  };
}

/** Throws `FORBIDDEN` with the scopes that not all of the credentials have. */
function refuse(alternative: Requirement, identified: Identified): void {
  const [first, ...others] = principalsOf(alternative, identified);
  const common = [...first.scopes].filter((scope) => others.every(({ scopes }) => scopes.has(scope)));
  authorize({ anyOf: [alternative] }, { ...first, scopes: new Set(common) });
}

/** An alternative that is closed names at least one scheme. */
function principalsOf({ schemes }: Requirement, identified: Identified): readonly [Principal, ...Principal[]] {
  const [first, ...others] = schemes.map(({ name }) => lookUp(identified, name));
  if (!first) throw new Error('An alternative without schemes has no caller.');
  return [first, ...others];
}
