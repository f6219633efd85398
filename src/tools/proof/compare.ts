import { isDeepStrictEqual } from 'node:util';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { GraphqlRequests, Route } from '../harness/graphql-requests.ts';
import { argumentOfParameter } from '../harness/list-arguments.ts';
import type { ErrorOutcome, Outcome, ReportedError, Step } from '../harness/step.ts';

/** Errors that REST reports before it reads the body, while GraphQL has already read the variables. */
const BEFORE_INPUT = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);
const REFUSED_INPUT = new Set(['VALIDATION_FAILED', 'MALFORMED_REQUEST', 'CONTENT_TOO_LARGE']);
/** What GraphQL answers before execution to input that its types, or its bounds on variables, refuse. */
const REFUSED_EARLY = new Set(['VALIDATION_FAILED', 'LIMIT_EXCEEDED']);

/** Describes how the two protocols' outcomes of one step differ; undefined when they agree. */
export class Comparer {
  readonly #requests: GraphqlRequests;

  constructor(requests: GraphqlRequests) {
    this.#requests = requests;
  }

  difference(step: Step, route: Route, rest: Outcome, graphql: Outcome): string | undefined {
    if (rest.kind === 'malformed') return `REST answers ${rest.text}`;
    if (graphql.kind === 'malformed') return `GraphQL answers ${graphql.text}`;
    if (rest.kind === 'data' && graphql.kind === 'data') return this.#values(step, route, rest.value, graphql.value);
    if (rest.kind === 'error' && graphql.kind === 'error') return this.#errors(step, route, rest, graphql);
    const message = [rest, graphql].find((one) => one.kind === 'error')?.message;
    return `REST answers ${summary(rest)}, GraphQL ${summary(graphql)}: ${quoted(message)}`;
  }

  #values(step: Step, route: Route, rest: unknown, graphql: unknown): string | undefined {
    const expected = this.#requests.expected(route, step.action, rest);
    return isDeepStrictEqual(expected, graphql) ? undefined : `the data differ: ${firstDifference(expected, graphql)}`;
  }

  #errors(step: Step, route: Route, rest: ErrorOutcome, graphql: ErrorOutcome): string | undefined {
    if (graphql.isEarly && REFUSED_EARLY.has(graphql.code)) return refusedEarly(step, rest, graphql);
    if (rest.code !== graphql.code) return `the codes differ: REST ${rest.code}, GraphQL ${graphql.code}`;
    if (rest.status !== graphql.status) return `the statuses differ: REST ${rest.status}, GraphQL ${graphql.status}`;
    if (rest.message !== graphql.message)
      return `the messages differ: REST ${quoted(rest.message)}, GraphQL ${quoted(graphql.message)}`;
    const expected = this.#errorsAsArguments(step, route, rest);
    const found = (graphql.errors ?? []).map(textOf).sort();
    if (isDeepStrictEqual(expected, found)) return undefined;
    return `the locations of errors differ: REST ${quoted(expected)}, GraphQL ${quoted(found)}`;
  }

  /** REST's errors, located by paths into GraphQL's arguments. */
  #errorsAsArguments(step: Step, route: Route, { code, errors = [] }: ErrorOutcome): string[] {
    const locate = ({ header, parameter, pointer = '' }: ReportedError): string => {
      if (header !== undefined) return 'ifVersion';
      if (parameter !== undefined) return this.#argument(step, route, parameter, code);
      const steps = pointerTokens(pointer);
      return ['input', ...this.#requests.translators.inputs.path(route.fields.at(-1)!.input, step.input, steps)].join(
        '.',
      );
    };
    return errors.map((error) => textOf({ ...error, argument: locate(error) })).sort();
  }

  #argument({ resource, query = {} }: Step, { fields }: Route, parameter: string, code: string): string {
    const [base, ...inside] = parameter.split(/[[\]]+/).filter((part) => part !== '');
    for (const { params } of fields) {
      const argument = Object.keys(params).find((name) => params[name] === base);
      if (argument !== undefined) return [argument, ...inside].join('.');
    }
    const asked = { query, isOfProperty: code === 'FORBIDDEN' };
    return argumentOfParameter(parameter, asked, resource, fields.at(-1)!.field, this.#requests.translators);
  }
}

/**
 * GraphQL's type system refuses invalid input before execution; REST must refuse it by its schemas, or by access rules
 * before them.
 */
function refusedEarly({ isFaulty }: Step, rest: ErrorOutcome, graphql: ErrorOutcome): string | undefined {
  const isSame = REFUSED_INPUT.has(rest.code) || (isFaulty && BEFORE_INPUT.has(rest.code));
  return isSame ? undefined : `the codes differ: REST ${rest.code}, GraphQL ${graphql.code} before execution`;
}

const textOf = ({ argument, code, detail }: ReportedError): string =>
  `${argument}${code === undefined ? '' : ` ${code}`}: ${detail}`;

const quoted = (value: unknown): string => JSON.stringify(value);

const summary = (outcome: Outcome): string => (outcome.kind === 'error' ? `${outcome.status} ${outcome.code}` : 'data');

/** The first path at which two values differ. */
function firstDifference(a: unknown, b: unknown, path = ''): string {
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b))
    return `at ${path || 'the top'} ${quoted(a)} over REST, ${quoted(b)} over GraphQL`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!isDeepStrictEqual(a[key], b[key])) return firstDifference(a[key], b[key], `${path}/${key}`);
  }
  return 'nowhere';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
