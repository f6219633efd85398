import { type Expression, readExpression } from './expressions.ts';
import { patternOf, patternOfLike } from './patterns.ts';

/** What a check demands of the values of one column, in words of JSON Schema. */
export interface Facts {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

/**
 * How the values of a column compare: texts by their characters, but `padded` ones in patterns with blanks that no answer has; numbers by
 * their precision. The rest has no counterpart.
 */
export type Comparison = 'text' | 'padded' | 'integer' | 'single' | 'double' | undefined;

interface Fact {
  readonly column: string;
  readonly facts: Facts;
}

/**
 * The facts that follow from a check, of its parts that hold for one column. `isWhole`: nothing else follows from it. Null meets
 * them all.
 */
export async function readCheck(
  sql: string,
  comparisonOf: (column: string) => Comparison,
): Promise<{ readonly facts: readonly Fact[]; readonly isWhole: boolean }> {
  const found = conjuncts(await readExpression(sql)).map((one) => factOf(one, comparisonOf));
  const facts = found.filter((one) => one !== undefined);
  return { facts, isWhole: facts.length === found.length };
}

/** Facts that hold together; undefined if no value meets them, or JSON Schema has one word for two of them. */
export function joined(a: Facts, b: Facts): Facts | undefined {
  const all = { ...a, ...b };
  const others = b.enum;
  const greatest = (name: keyof Facts) => bound(name, Math.max(...numbersOf(name, a, b)));
  const least = (name: keyof Facts) => bound(name, Math.min(...numbersOf(name, a, b)));
  const merged: Facts = {
    ...all,
    ...greatest('minimum'),
    ...greatest('exclusiveMinimum'),
    ...greatest('minLength'),
    ...least('maximum'),
    ...least('exclusiveMaximum'),
    ...least('maxLength'),
    ...(a.enum && others && { enum: a.enum.filter((value) => others.includes(value)) }),
  };
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = merged;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = merged;
  const isEmpty =
    Math.max(minimum, exclusiveMinimum) > Math.min(maximum, exclusiveMaximum) ||
    (exclusiveMinimum > -Infinity && exclusiveMinimum >= Math.min(maximum, exclusiveMaximum)) ||
    exclusiveMaximum <= minimum;
  if (isEmpty || minLength > maxLength || merged.enum?.length === 0) return undefined;
  return a.pattern !== undefined && b.pattern !== undefined && a.pattern !== b.pattern ? undefined : merged;
}

const numbersOf = (name: keyof Facts, ...all: readonly Facts[]): readonly number[] =>
  all.flatMap((facts) => (facts[name] === undefined ? [] : [Number(facts[name])]));

const bound = (name: keyof Facts, value: number): Facts => (Number.isFinite(value) ? { [name]: value } : {});

const conjuncts = (one: Expression): readonly Expression[] =>
  one.kind === 'and' ? one.args.flatMap(conjuncts) : [one];

function factOf(one: Expression, comparisonOf: (column: string) => Comparison): Fact | undefined {
  if (one.kind === 'or') return alternativeOf(one.args, comparisonOf);
  if (one.kind !== 'compare') return undefined;
  const { left, operator, right } = one;
  // Postgres prints both orders as they were written.
  if (left.kind === 'constant') {
    const turned = TURNED[operator];
    return turned === undefined || right.kind === 'constant'
      ? undefined
      : factOf({ kind: 'compare', operator: turned, left: right, right: left }, comparisonOf);
  }
  if (left.kind === 'call') return lengthOf(left, operator, right, comparisonOf);
  if (left.kind !== 'column') return undefined;
  const comparison = comparisonOf(left.name);
  const isTextual = isText(left) && (comparison === 'text' || comparison === 'padded');
  const facts = isTextual
    ? textFacts(operator, right, comparison)
    : comparison && !['text', 'padded'].includes(comparison) && left.cast !== 'text'
      ? numberFacts(operator, right, comparison)
      : undefined;
  return facts && { column: left.name, facts };
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '<>': '<>' };

/** `a IS NULL OR …` demands the rest; several equalities of one column are an enum. */
function alternativeOf(args: readonly Expression[], comparisonOf: (column: string) => Comparison): Fact | undefined {
  const isNull = (one: Expression): boolean => one.kind === 'null-test' && one.isNull && one.arg.kind === 'column';
  const [nulls, others] = [args.filter(isNull), args.filter((one) => !isNull(one))];
  const facts = others.map((one) => factOf(one, comparisonOf));
  const columns = new Set([
    ...nulls.map((one) => (one.kind === 'null-test' && one.arg.kind === 'column' ? one.arg.name : '')),
    ...facts.map((fact) => fact?.column),
  ]);
  const [first] = facts;
  if (columns.size !== 1 || !first) return undefined;
  if (facts.length === 1) return first;
  const values = facts.flatMap((fact) => (fact?.facts.enum ? [fact.facts.enum] : []));
  return values.length === facts.length ? { ...first, facts: { enum: [...new Set(values.flat())] } } : undefined;
}

const LENGTHS = ['length', 'char_length', 'character_length'];

/** JSON Schema counts characters, as Postgres does. */
function lengthOf(
  { name, args }: { readonly name: string; readonly args: readonly Expression[] },
  operator: string,
  right: Expression,
  comparisonOf: (column: string) => Comparison,
): Fact | undefined {
  const [arg] = args;
  if (!LENGTHS.includes(name.replace(/^pg_catalog\./, '')) || arg?.kind !== 'column') return undefined;
  const bounds = ['text', 'padded'].includes(comparisonOf(arg.name) ?? '')
    ? numberFacts(operator, right, 'integer')
    : undefined;
  if (!bounds || (bounds.minimum ?? 0) < 0 || (bounds.maximum ?? 0) < 0) return undefined;
  const { minimum, maximum } = bounds;
  const facts = {
    ...(minimum !== undefined && { minLength: minimum }),
    ...(maximum !== undefined && { maxLength: maximum }),
  };
  return { column: arg.name, facts };
}

function textFacts(operator: string, right: Expression, comparison: Comparison): Facts | undefined {
  if (operator === 'in') {
    const items = right.kind === 'list' ? right.items : [];
    const values = items.flatMap((one) => (one.kind === 'constant' && isText(one) ? [one.text] : []));
    return items.length > 0 && values.length === items.length ? { enum: [...new Set(values)] } : undefined;
  }
  if (right.kind !== 'constant' || !isText(right)) return undefined;
  const { text } = right;
  if (operator === '=') return { enum: [text] };
  if (operator === '<>') return text === '' ? { minLength: 1 } : undefined;
  if (comparison === 'padded') return undefined;
  const pattern = operator === '~' ? patternOf(text) : operator === '~~' ? patternOfLike(text) : undefined;
  return pattern === undefined ? undefined : { pattern };
}

const isText = ({ cast = 'text' }: { readonly cast?: string | undefined }): boolean => cast === 'text';

function numberFacts(operator: string, right: Expression, comparison: Comparison): Facts | undefined {
  if (operator === 'in') return rangeOf(right, comparison);
  const value = right.kind === 'constant' ? Number(right.text) : Number.NaN;
  // A column of single precision differs from the number that JSON has.
  if (comparison === 'double' ? !Number.isFinite(value) : !Number.isSafeInteger(value)) return undefined;
  const isInteger = comparison === 'integer';
  switch (operator) {
    case '>=':
      return { minimum: value };
    case '<=':
      return { maximum: value };
    case '>':
      return isInteger ? { minimum: value + 1 } : { exclusiveMinimum: value };
    case '<':
      return isInteger ? { maximum: value - 1 } : { exclusiveMaximum: value };
    case '=':
      return { minimum: value, maximum: value };
    default:
      return undefined;
  }
}

/** Whole numbers without a gap. */
function rangeOf(right: Expression, comparison: Comparison): Facts | undefined {
  const items = right.kind === 'list' && comparison === 'integer' ? right.items : [];
  const values = items.map((one) => (one.kind === 'constant' ? Number(one.text) : Number.NaN)).sort((a, b) => a - b);
  const [minimum] = values;
  const isDense = values.every((value, at) => Number.isSafeInteger(value) && value - at === minimum);
  return minimum !== undefined && isDense ? { minimum, maximum: minimum + values.length - 1 } : undefined;
}
