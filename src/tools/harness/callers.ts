import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { scopesOfRules } from '../../descriptor/row-access.ts';
import { type SecretKeys, secretKeys } from '../../runtime/auth/keys.ts';
import type { Claims } from '../../runtime/auth/principal.ts';
import { signToken } from '../../runtime/auth/sign-token.ts';
import { readOperations } from '../../runtime/rest/operation.ts';

/** A kind of caller; the same token goes to both protocols. */
export interface Caller {
  readonly name: string;
  readonly subject: string | undefined;
  /** Undefined when the request has no `Authorization` header. */
  readonly authorization: string | undefined;
  readonly scopes: ReadonlySet<string>;
  /** Those of its token that the contract's rules may read. */
  readonly claims: Claims;
  /** Whether the server must reject the credentials. */
  readonly isInvalid?: boolean;
}

export interface Callers {
  readonly all: readonly Caller[];
  readonly anonymous: Caller;
  /** Owns the rows that most requests are about. */
  readonly owner: Caller;
  /** Another subject with the same scopes. */
  readonly other: Caller;
  /** Holds every scope, including those that exempt from owner rules. */
  readonly unrestricted: Caller;
}

export const keys: SecretKeys = secretKeys('a secret for the proof of parity, known to nobody else');

const OWNER = '019bc0de-7c00-7000-8000-00000000000a';
const OTHER = '019bc0de-7c00-7000-8000-00000000000b';
const FREE = '019bc0de-7c00-7000-8000-00000000000c';
const DAY_S = 86_400;
const YEAR_S = 366 * DAY_S;

/** Each kind of caller that the contract can tell apart. */
export function callersOf(contract: CompiledContract, now: Date, claimsOf: ClaimsOf = () => ({})): Callers {
  const { document, resources } = contract;
  const accesses = readOperations(document).map(({ access }) => access);
  const schemes = accesses.flatMap(({ anyOf }) => anyOf.flatMap((one) => one.schemes));
  const exempting = new Set([
    ...resources.flatMap(({ owner }) => owner?.scope ?? []),
    ...resources.flatMap(scopesOfRules),
  ]);
  const scopes = [...new Set([...schemes.flatMap((scheme) => scheme.scopes), ...exempting])].sort();
  const plain = scopes.filter((scope) => !exempting.has(scope));
  const caller = (
    name: string,
    subject: string,
    held: readonly string[],
    issued = now,
    claims = claimsOf(subject),
  ): Caller => {
    const token = { subject, scopes: held, expiresInSeconds: issued === now ? YEAR_S : 60, now: issued, claims };
    const authorization = `Bearer ${signToken(keys, token)}`;
    return { name, subject, authorization, scopes: new Set(held), claims: { ...claims, sub: subject } };
  };
  const anonymous: Caller = {
    name: 'anonymous',
    subject: undefined,
    authorization: undefined,
    scopes: new Set(),
    claims: {},
  };
  const broken: Caller = {
    name: 'broken token',
    subject: OWNER,
    authorization: 'Bearer no.token.atall',
    scopes: new Set(),
    claims: {},
    isInvalid: true,
  };
  const owner = caller('owner', OWNER, plain);
  const other = caller('other', OTHER, plain);
  const unrestricted = caller('every scope', FREE, scopes);
  const single = scopes.map((scope) => caller(`only ${scope}`, OWNER, [scope]));
  const none = caller('no scope', OWNER, []);
  const nobody = caller('service', 'a-service', scopes);
  const expired = {
    ...caller('expired token', OWNER, scopes, new Date(now.getTime() - DAY_S * 1000)),
    isInvalid: true,
  };
  const lacking = Object.keys(owner.claims).length > 1 ? claimlessOf(owner.claims, plain, caller) : [];
  return {
    all: [anonymous, owner, other, unrestricted, ...lacking, ...single, none, nobody, expired, broken],
    anonymous,
    owner,
    other,
    unrestricted,
  };
}

/** Callers whose tokens lack the claims that rules read, or have them of another type. */
function claimlessOf(
  { sub: _, ...claims }: Claims,
  scopes: readonly string[],
  caller: (name: string, subject: string, scopes: readonly string[], issued: undefined, claims: Claims) => Caller,
): readonly Caller[] {
  const strange = Object.fromEntries(Object.keys(claims).map((name) => [name, { not: ['a', 'value'] }]));
  return [
    caller('no claims', OWNER, scopes, undefined, {}),
    caller('claims of another type', OWNER, scopes, undefined, strange),
  ];
}

/** The subjects of the callers, those of most rows first. */
export const SUBJECTS: readonly string[] = [OWNER, OTHER, FREE];

/** The claims of a subject that rules read, beside `sub`. */
export type ClaimsOf = (subject: string) => Claims;

/**
 * The four kinds of callers about whom every seed asks, and `count` of the others: the next seed takes the next ones, so
 * that a few seeds together ask as all.
 */
export function callersInTurn({ all, ...four }: Callers, seed: number, count: number): Callers {
  const { anonymous, owner, other, unrestricted } = four;
  const always = [anonymous, owner, other, unrestricted];
  const others = all.filter((caller) => !always.includes(caller));
  const first = Number.isFinite(count) ? seed * count : 0;
  const some = others.map((_, i) => others[(first + i) % others.length]!).slice(0, count);
  return { ...four, all: [...always, ...some] };
}
