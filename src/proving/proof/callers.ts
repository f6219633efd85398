import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { plainScopesOf, scopesOf } from '../../tools/token/index.ts';
import { ANONYMOUS, type Caller, signedCaller } from '../harness/callers.ts';

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

const OWNER = '019bc0de-7c00-7000-8000-00000000000a';
const OTHER = '019bc0de-7c00-7000-8000-00000000000b';
const FREE = '019bc0de-7c00-7000-8000-00000000000c';
const DAY_MS = 86_400_000;

/** Each kind of caller that the contract can distinguish. */
export function callersOf(contract: CompiledContract, now: Date, claimsOf: ClaimsOf = () => ({})): Callers {
  const scopes = scopesOf(contract).sort();
  const plain = plainScopesOf(contract).sort();
  const caller = (name: string, subject: string, held: readonly string[], claims = claimsOf(subject)): Caller =>
    signedCaller(name, { subject, scopes: held, now, claims });
  const yesterday = { subject: OWNER, scopes, now: new Date(now.getTime() - DAY_MS), claims: claimsOf(OWNER) };
  const expired = { ...signedCaller('expired token', yesterday, 60), isInvalid: true };
  const broken = {
    ...ANONYMOUS,
    name: 'broken token',
    subject: OWNER,
    authorization: 'Bearer no.token.atall',
    isInvalid: true,
  };
  const owner = caller('owner', OWNER, plain);
  const other = caller('other', OTHER, plain);
  const unrestricted = caller('every scope', FREE, scopes);
  const single = scopes.map((scope) => caller(`only ${scope}`, OWNER, [scope]));
  const none = caller('no scope', OWNER, []);
  const nobody = caller('service', 'a-service', scopes);
  const claims = Object.keys(claimsOf(OWNER));
  const strange = Object.fromEntries(claims.map((name) => [name, { not: ['a', 'value'] }]));
  const lacking = [
    caller('no claims', OWNER, plain, {}),
    caller('claims of another type', OWNER, plain, strange),
  ].slice(claims.length > 0 ? 0 : 2);
  return {
    all: [ANONYMOUS, owner, other, unrestricted, ...lacking, ...single, none, nobody, expired, broken],
    anonymous: ANONYMOUS,
    owner,
    other,
    unrestricted,
  };
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
