import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  Kind,
  type ValueNode,
} from 'graphql';
import { FILTER_PARAMETER, MAX_FILTER_COMPARISONS, VALUE_OPERATORS } from '../../../descriptor/filters.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values inside each other that are counted; filters have fewer levels, and validation refuses what has more. */
const MAX_LEVELS = 32;

const OPERATORS: ReadonlySet<string> = new Set([...VALUE_OPERATORS, 'isNull']);

/**
 * What the argument `filter` of a list adds to its cost, where it combines conditions: 1 for each value that it compares,
 * and for each condition that compares none. Undefined where the field has no such filter. `defaults`: of the variables.
 */
export function filterCost(
  node: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  defaults: ReadonlyMap<string, ValueNode>,
): ((variables: Values) => number) | undefined {
  const given = node.arguments?.find(({ name }) => name.value === FILTER_PARAMETER)?.value;
  const type = given && args.find(({ name }) => name === FILTER_PARAMETER)?.type;
  if (!given || !type || !combines(type)) return undefined;
  return (variables) => Math.min(new Comparisons(variables, defaults).written(given), MAX_FILTER_COMPARISONS);
}

/** Filters by single properties have no objects in them but those of operators. */
function combines(type: GraphQLInputType): boolean {
  return fieldsOf(type).some((field) => fieldsOf(field.type).some(({ name }) => !OPERATORS.has(name)));
}

function fieldsOf(type: GraphQLInputType): readonly GraphQLInputField[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

/** Counts the comparisons of one request. */
class Comparisons {
  readonly #variables: Values;
  readonly #defaults: ReadonlyMap<string, ValueNode>;

  constructor(variables: Values, defaults: ReadonlyMap<string, ValueNode>) {
    this.#variables = variables;
    this.#defaults = defaults;
  }

  /** Of a value in the document, which the limit of tokens bounds. */
  written(node: ValueNode): number {
    switch (node.kind) {
      case Kind.OBJECT:
        return Math.max(1, sum(node.fields.map(({ value }) => this.written(value))));
      case Kind.LIST:
        return node.values.some(isWrittenScalar) ? 1 : sum(node.values.map((value) => this.written(value)));
      case Kind.VARIABLE:
        return this.#variable(node.name.value);
      default:
        return 1;
    }
  }

  #variable(name: string): number {
    const value = this.#variables[name];
    if (value !== undefined) return sent(value, 0);
    const fallback = this.#defaults.get(name);
    return fallback ? this.written(fallback) : 0;
  }
}

const isWrittenScalar = ({ kind }: ValueNode): boolean =>
  kind !== Kind.OBJECT && kind !== Kind.LIST && kind !== Kind.VARIABLE;

/** Of a value among the variables, whatever it is: it is validated later. */
function sent(value: unknown, level: number): number {
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return 1;
  const inner = (one: unknown): number => sent(one, level + 1);
  if (!Array.isArray(value)) return Math.max(1, sum(Object.values(value).map(inner)));
  return value.some((one) => typeof one !== 'object' || one === null) ? 1 : sum(value.map(inner));
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
