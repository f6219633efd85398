import { isDeepStrictEqual } from 'node:util';
import type { ComparedCall } from '../harness/protocols.ts';
import type { ErrorOutcome, Outcome, ReportedError, Step } from '../harness/step.ts';

/** Errors that REST reports before it reads the body, while others may have read all that they were sent. */
const BEFORE_INPUT = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);
const REFUSED_INPUT = new Set(['VALIDATION_FAILED', 'MALFORMED_REQUEST', 'CONTENT_TOO_LARGE']);
/** What a protocol answers before execution to input that its types, or its bounds on variables, refuse. */
const REFUSED_EARLY = new Set(['VALIDATION_FAILED', 'LIMIT_EXCEEDED']);

/** Describes how another protocol's outcome of a step differs from that of REST; undefined when they agree. */
export function difference(step: Step, call: ComparedCall, rest: Outcome, other: Outcome): string | undefined {
  const { protocol } = call;
  if (rest.kind === 'malformed') return `REST answers ${rest.text}`;
  if (other.kind === 'malformed') return `${protocol} answers ${other.text}`;
  if (call.isSame?.(rest, other)) return undefined;
  if (rest.kind === 'data' && other.kind === 'data') {
    const expected = call.expected(rest.value);
    if (isDeepStrictEqual(expected, other.value)) return undefined;
    return `the data differ: ${firstDifference(protocol, expected, other.value)}`;
  }
  if (rest.kind === 'error' && other.kind === 'error') return differenceOfErrors(step, call, rest, other);
  const message = [rest, other].find((one) => one.kind === 'error')?.message;
  return `REST answers ${summary(rest)}, ${protocol} ${summary(other)}: ${quoted(message)}`;
}

function differenceOfErrors(
  step: Step,
  { protocol, argument }: ComparedCall,
  rest: ErrorOutcome,
  other: ErrorOutcome,
): string | undefined {
  if (other.isEarly && REFUSED_EARLY.has(other.code)) return refusedEarly(step, protocol, rest, other);
  if (rest.code !== other.code) return `the codes differ: REST ${rest.code}, ${protocol} ${other.code}`;
  if (rest.status !== other.status) return `the statuses differ: REST ${rest.status}, ${protocol} ${other.status}`;
  if (rest.message !== other.message)
    return `the messages differ: REST ${quoted(rest.message)}, ${protocol} ${quoted(other.message)}`;
  const { code, errors = [] } = rest;
  const expected = errors.map((error) => textOf({ ...error, argument: argument(error, code) })).sort();
  const found = (other.errors ?? []).map(textOf).sort();
  if (isDeepStrictEqual(expected, found)) return undefined;
  return `the locations of errors differ: REST ${quoted(expected)}, ${protocol} ${quoted(found)}`;
}

/** Other protocols may refuse invalid input before execution; REST must refuse it by its schemas, or by access rules before them. */
function refusedEarly(
  { isFaulty }: Step,
  protocol: string,
  rest: ErrorOutcome,
  other: ErrorOutcome,
): string | undefined {
  const isSame = REFUSED_INPUT.has(rest.code) || (isFaulty && BEFORE_INPUT.has(rest.code));
  return isSame ? undefined : `the codes differ: REST ${rest.code}, ${protocol} ${other.code} before execution`;
}

const textOf = ({ argument, code, detail }: ReportedError): string =>
  `${argument}${code === undefined ? '' : ` ${code}`}: ${detail}`;

const quoted = (value: unknown): string => JSON.stringify(value);

const summary = (outcome: Outcome): string => (outcome.kind === 'error' ? `${outcome.status} ${outcome.code}` : 'data');

/** The first path at which two values differ. */
function firstDifference(protocol: string, a: unknown, b: unknown, path = ''): string {
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b))
    return `at ${path || 'the top'} ${quoted(a)} over REST, ${quoted(b)} over ${protocol}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!isDeepStrictEqual(a[key], b[key])) return firstDifference(protocol, a[key], b[key], `${path}/${key}`);
  }
  return 'nowhere';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
