import type { Access, Requirement } from '../../descriptor/access.ts';
import { authorize } from './authorize.ts';
import type { Principal } from './principal.ts';
import type { CredentialsRequest, Identify } from './security-handler.ts';

/** Whom each scheme knows the caller as. */
export type Identified = ReadonlyMap<string, Principal>;

/**
 * The caller of an operation with several kinds of credentials. An alternative of its `security` counts only for
 * whoever brings all credentials it names: one kind never opens what asks for another.
 * Rejects with `FORBIDDEN` for a caller who is known and lacks scopes.
 */
export function identifyByAny(access: Access, schemes: ReadonlyMap<string, Identify>): Identify {
  const closed = access.anyOf.filter(isClosed);
  return async (request) => {
    const identified = new Map<string, Principal>();
    for (const alternative of closed) {
      const isWhole = await isBrought(alternative, schemes, request, identified);
      if (isWhole && isMet(alternative, identified)) return caller(alternative, identified);
    }
    return callerAmong(access, identified);
  };
}

/** The same for a request whose credentials have all been read. Throws `FORBIDDEN`. */
export function callerAmong({ anyOf }: Access, identified: Identified): Principal | undefined {
  const closed = anyOf.filter(isClosed);
  const brought = closed.filter(({ schemes }) => schemes.every(({ name }) => identified.has(name)));
  const met = brought.find((alternative) => isMet(alternative, identified));
  if (met) return caller(met, identified);
  const isOpen = closed.length < anyOf.length;
  if (brought[0] && !isOpen) refuse(brought[0], identified);
  return isOpen ? identified.values().next().value : undefined;
}

const isClosed = ({ schemes }: Requirement): boolean => schemes.length > 0;

/** Whether the request has all credentials of an alternative; whom they name is added to `identified`. */
async function isBrought(
  alternative: Requirement,
  schemes: ReadonlyMap<string, Identify>,
  request: CredentialsRequest,
  identified: Map<string, Principal>,
): Promise<boolean> {
  for (const { name } of alternative.schemes) {
    const principal = identified.get(name) ?? (await schemes.get(name)!(request));
    if (!principal) return false;
    identified.set(name, principal);
  }
  return true;
}

const isMet = ({ schemes }: Requirement, identified: Identified): boolean =>
  schemes.every(({ name, scopes }) => scopes.every((scope) => identified.get(name)!.scopes.has(scope)));

/** One caller of all credentials: by the subject of the first, whose claims count before those of the others. */
function caller(alternative: Requirement, identified: Identified): Principal {
  const principals = principalsOf(alternative, identified);
  const claims = Object.fromEntries(principals.toReversed().flatMap(({ claims = {} }) => Object.entries(claims)));
  return {
    subject: principals[0]!.subject,
    scopes: new Set(principals.flatMap(({ scopes }) => [...scopes])),
    expiresAtMs: Math.min(...principals.map(({ expiresAtMs }) => expiresAtMs)),
    claims,
  };
}

/** Throws `FORBIDDEN`: some of the credentials lack a scope, so that not all of them have it. */
function refuse(alternative: Requirement, identified: Identified): void {
  const principals = principalsOf(alternative, identified);
  const [first, ...others] = principals;
  const common = [...first!.scopes].filter((scope) => others.every(({ scopes }) => scopes.has(scope)));
  authorize({ anyOf: [alternative] }, { ...first!, scopes: new Set(common) });
}

const principalsOf = ({ schemes }: Requirement, identified: Identified): Principal[] =>
  schemes.map(({ name }) => identified.get(name)!);
