import { isDeepStrictEqual } from 'node:util';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { GraphqlWords, Route } from './graphql-words.ts';
import type { InputWords } from './input-words.ts';
import { argumentOfParameter } from './list-words.ts';
import type { Selection } from './selection.ts';
import type { ErrorOutcome, Fault, Outcome, Step } from './step.ts';

/** Codes that REST finds before it reads a body, where GraphQL has read the variables. */
const BEFORE_INPUT = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);
const REFUSED_INPUT = new Set(['VALIDATION_FAILED', 'MALFORMED_REQUEST']);

export interface ComparerOptions {
  readonly words: GraphqlWords;
  readonly inputs: InputWords;
  readonly selection: Selection;
}

/** Says in which way two answers to one step differ; undefined when they are the same. */
export class Comparer {
  readonly #inputs: InputWords;
  readonly #selection: Selection;

  constructor({ inputs, selection }: ComparerOptions) {
    this.#inputs = inputs;
    this.#selection = selection;
  }

  difference(step: Step, route: Route, rest: Outcome, graphql: Outcome): string | undefined {
    if (rest.kind === 'nonsense') return `REST answers ${rest.text}`;
    if (graphql.kind === 'nonsense') return `GraphQL answers ${graphql.text}`;
    if (rest.kind === 'data' && graphql.kind === 'data') return this.#values(step, route, rest.value, graphql.value);
    if (rest.kind === 'error' && graphql.kind === 'error') return this.#errors(step, route, rest, graphql);
    return `REST answers ${told(rest)}, GraphQL ${told(graphql)}`;
  }

  #values(step: Step, route: Route, rest: unknown, graphql: unknown): string | undefined {
    const expected = this.expected(step, route, rest);
    return isDeepStrictEqual(expected, graphql) ? undefined : `the data differ: ${firstDifference(expected, graphql)}`;
  }

  /** What GraphQL answers where REST answers the value. */
  expected({ action }: Pick<Step, 'action'>, { fields }: Route, rest: unknown): unknown {
    const { type } = fields.at(-1)!.field;
    if (action !== 'list') return this.#selection.project(type, rest);
    const { data, page } = rest as { data: unknown[]; page: object };
    const nodes = this.#selection.nodesOf(type);
    return { data: data.map((one) => this.#selection.project(nodes, one)), page };
  }

  #errors(step: Step, route: Route, rest: ErrorOutcome, graphql: ErrorOutcome): string | undefined {
    if (graphql.isEarly && graphql.code === 'VALIDATION_FAILED') return refusedEarly(step, rest);
    if (rest.code !== graphql.code) return `the codes differ: REST ${rest.code}, GraphQL ${graphql.code}`;
    if (rest.status !== graphql.status) return `the statuses differ: REST ${rest.status}, GraphQL ${graphql.status}`;
    if (rest.message !== graphql.message)
      return `the words differ: REST ${quoted(rest.message)}, GraphQL ${quoted(graphql.message)}`;
    const expected = this.#faults(step, route, rest.faults);
    const found = (graphql.faults ?? []).map(toldOf).sort();
    if (isDeepStrictEqual(expected, found)) return undefined;
    return `the places differ: REST's are ${quoted(expected)}, GraphQL's ${quoted(found)}`;
  }

  /** REST's faults with their places as paths into the arguments. */
  #faults(step: Step, route: Route, faults: readonly Fault[] = []): string[] {
    const place = (fault: Fault): string => {
      if (fault.header !== undefined) return 'ifVersion';
      if (fault.parameter !== undefined) return this.#argument(route, fault.parameter);
      const steps = pointerTokens(fault.pointer ?? '');
      return ['input', ...this.#inputs.path(route.fields.at(-1)!.input, step.input, steps)].join('.');
    };
    return faults.map((fault) => toldOf({ ...fault, argument: place(fault) })).sort();
  }

  #argument({ fields }: Route, parameter: string): string {
    for (const { params } of fields) {
      const argument = Object.keys(params).find((name) => params[name] === parameter);
      if (argument !== undefined) return argument;
    }
    return argumentOfParameter(parameter);
  }
}

/** GraphQL's types have refused what REST's schemas, or its access rules before them, refuse as well. */
function refusedEarly({ isFaulty }: Step, rest: ErrorOutcome): string | undefined {
  const isSame = REFUSED_INPUT.has(rest.code) || (isFaulty && BEFORE_INPUT.has(rest.code));
  return isSame ? undefined : `the codes differ: REST ${rest.code}, GraphQL VALIDATION_FAILED before execution`;
}

const toldOf = ({ argument, code, detail }: Fault): string =>
  `${argument}${code === undefined ? '' : ` ${code}`}: ${detail}`;

const quoted = (value: unknown): string => JSON.stringify(value);

const told = (outcome: Outcome): string => (outcome.kind === 'error' ? `${outcome.status} ${outcome.code}` : 'data');

/** The place where two values part. */
export function firstDifference(a: unknown, b: unknown, path = ''): string {
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
