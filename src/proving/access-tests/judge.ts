import type { ErrorOutcome } from '../harness/step.ts';
import type { Answer } from './ask-suite.ts';
import type { MadeRows } from './make-rows.ts';
import type { AccessTest, Expected, Values } from './suite.ts';

export const CODES: Readonly<Record<string, Expected['outcome']>> = {
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not found',
  // What an input refers to and the caller does not read.
  REFERENCE_NOT_FOUND: 'not found',
  UNAUTHENTICATED: 'unauthenticated',
};

/** How an answer differs from what a test expects, in words; undefined where it does not. */
export function deviation(test: AccessTest, answer: Answer, rows: MadeRows): string | undefined {
  const { resource, expected } = test;
  const { outcome } = answer;
  if (isHiddenFirst(test, answer)) return undefined;
  if (outcome.kind === 'malformed') return `is answered by ${outcome.text}`;
  if (outcome.kind === 'error') {
    return CODES[outcome.code] === expected.outcome ? undefined : `is ${refusalWords(outcome)}`;
  }
  if (expected.outcome !== 'allowed') return 'is allowed';
  const { listed, hidden, empty } = expected;
  const ids = listed.length + hidden.length > 0 ? listedIds(outcome.value) : new Set();
  const isThere = (name: string): boolean => ids.has(String(rows.row(resource.key, name)['id']));
  const absent = listed.filter((name) => !isThere(name));
  const shown = hidden.filter(isThere);
  const set = empty.filter((name) => (outcome.value as Values)[name] != null);
  const parts = [
    ...(absent.length > 0 ? [`does not list ${names(absent)}`] : []),
    ...(shown.length > 0 ? [`lists ${names(shown)}`] : []),
    ...(set.length > 0 ? [`shows ${names(set)}`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : undefined;
}

/** GraphQL reaches some lists through their parents, and answers that one is hidden before it asks who may list. */
const isHiddenFirst = ({ expected }: AccessTest, { protocol, step, outcome }: Answer): boolean =>
  (expected.outcome === 'forbidden' || expected.outcome === 'unauthenticated') &&
  outcome.kind === 'error' &&
  outcome.code === 'NOT_FOUND' &&
  protocol.call(step)?.isThroughParent === true;

const refusalWords = ({ code, status, message }: ErrorOutcome): string =>
  `${CODES[code] ?? 'refused'} (${status} ${code}: ${message})`;

export const listedIds = (value: unknown): ReadonlySet<string> =>
  new Set((value as { readonly data: readonly Values[] }).data.map(({ id }) => String(id)));

const names = (all: readonly string[]): string => all.map((name) => `\`${name}\``).join(', ');

/** "allowed", "to list `a` and to hide `b`" */
export function expectedWords({ outcome, listed, hidden, empty }: Expected): string {
  const parts = [
    ...(listed.length > 0 ? [`to list ${names(listed)}`] : []),
    ...(hidden.length > 0 ? [`not to list ${names(hidden)}`] : []),
    ...(empty.length > 0 ? [`to hide ${names(empty)}`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : `to be ${outcome}`;
}
