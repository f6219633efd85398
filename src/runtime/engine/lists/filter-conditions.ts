import {
  compares,
  FILTER_PARAMETER,
  MAX_FILTER_COMPARISONS,
  MAX_FILTER_DEPTH,
  VALUE_OPERATORS,
} from '../../../descriptor/filters.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { lookUp, onlyOf } from '../../../descriptor/look-up.ts';
import { type FilterOperator, listOf, type PropertyDescriptor } from '../../../descriptor/resource.ts';
import { authorize } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, remade } from '../../errors/api-error.ts';
import type { Comparison, Condition } from '../../storage/store.ts';
import { checkFollowed } from '../access/field-checks.ts';
import { negation, type Sight, seen } from '../access/sight.ts';
import type { RelatedRows, Resource } from '../resource/resource.ts';
import { comparisonsOf, refused, refuseNull } from './filter-comparisons.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the conditions of a list's parameter `filter`, and of its parameters named for references, whose values have been
 * validated; undefined if the list has neither. Throws `VALIDATION_FAILED` for more comparisons or levels than a filter may
 * have, and `FORBIDDEN` or `UNAUTHENTICATED` where it goes to a resource, or compares a property, that the caller may not read.
 */
export function combinedFilters(
  resource: Resource,
): ((query: Values, principal: Principal | undefined) => readonly Condition[]) | undefined {
  const { filter, referenceFilters = [] } = listOf(resource.descriptor);
  if (filter === undefined && referenceFilters.length === 0) return undefined;
  return (query, principal) => {
    const reader = new FilterReader(principal);
    const found: Condition[] = [];
    for (const name of referenceFilters)
      if (query[name] !== undefined) found.push(...reader.read(resource, { [name]: query[name] }, ''));
    const given = filter === undefined ? undefined : query[FILTER_PARAMETER];
    if (given !== undefined) found.push(...reader.read(resource, given as Values, FILTER_PARAMETER));
    return found;
  };
}

/** The conditions of a filter of hand-written code, which may ask for anything that it sees. Throws for what is not in the contract. */
export const codeConditions = (resource: Resource, filter: Values, sight: Sight): readonly Condition[] =>
  new FilterReader(undefined, sight).read(resource, filter, '');

/** Whether a query's filters ask for nothing but rows of the list itself: other rows change its pages, too. */
export function asksOtherRows({ descriptor: { list }, relations }: Resource, query: Values): boolean {
  const { filter, referenceFilters = [] } = list!;
  if (referenceFilters.some((name) => query[name] !== undefined)) return true;
  return filter !== undefined && namesRelation(relations, query[FILTER_PARAMETER]);
}

function namesRelation(relations: Resource['relations'], value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => namesRelation(relations, one));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) => relations.has(name) || (isCombination(name) && namesRelation(relations, inner)),
  );
}

const isCombination = (name: string): boolean => name === 'and' || name === 'or' || name === 'not';

/** Reads the conditions of one request. */
class FilterReader {
  readonly #principal: Principal | undefined;
  /** That of hand-written code. */
  readonly #sight: Sight | undefined;
  #comparisons = 0;

  constructor(principal: Principal | undefined, sight?: Sight) {
    this.#principal = principal;
    this.#sight = sight;
  }

  /** The conditions that all hold. `place`: the parameter. */
  read(resource: Resource, filter: Values, place: string): readonly Condition[] {
    return this.#members(resource, filter, { isNegated: false, place, depth: 1 });
  }

  #members(resource: Resource, filter: Values, at: Visit): Condition[] {
    if (at.depth > MAX_FILTER_DEPTH && !this.#sight)
      throw refused(at.place, `is deeper than ${MAX_FILTER_DEPTH} levels`);
    return inOrder(filter).flatMap(([name, value]) => this.#member(resource, name, value, into(at, name)));
  }

  #whole(resource: Resource, filter: Values, at: Visit): Condition {
    return combination(at.isNegated ? 'any' : 'all', this.#members(resource, filter, at));
  }

  /** What one member of a filter asks for: all of it, or, negated, any of it. */
  #member(resource: Resource, name: string, value: unknown, at: Visit): readonly Condition[] {
    if (name === 'and' || name === 'or') return [this.#combined(resource, name, value as readonly Values[], at)];
    if (name === 'not') return [this.#whole(resource, value as Values, { ...at, isNegated: !at.isNegated })];
    if (resource.property.has(name)) {
      if (this.#sight) checkComparable(resource, name, value);
      else {
        refuseNull(value, at.place);
        checkFollowed(resource, name, this.#principal, at.place);
      }
      return this.#compared(resource, name, value, at);
    }
    const related = resource.relations.get(name);
    if (!related) throw unknownName(resource, name);
    const owner = related.kind === 'one' ? resource : related.resource;
    if (!this.#sight) checkFollowed(owner, related.property, this.#principal, at.place);
    return related.kind === 'one'
      ? [this.#seen(resource, related.property, this.#related(related, value as Values, at, at.isNegated))]
      : inOrder(value as Values).map(([word, inner]) =>
          this.#related(related, inner as Values, into(at, word, at.depth), at.isNegated !== (word === 'none')),
        );
  }

  #combined(resource: Resource, word: 'and' | 'or', filters: readonly Values[], at: Visit): Condition {
    const parts = filters.map((one, i) => this.#whole(resource, one, into(at, String(i), at.depth)));
    return combination((word === 'and') === at.isNegated ? 'any' : 'all', parts);
  }

  #compared(resource: Resource, name: string, value: unknown, { isNegated, place }: Visit): readonly Condition[] {
    const comparisons = comparisonsWith(lookUp(resource.property, name), value);
    this.#comparisons += comparisons.length;
    if (this.#comparisons > MAX_FILTER_COMPARISONS && !this.#sight)
      throw refused(place, `is one of more than ${MAX_FILTER_COMPARISONS} comparisons`);
    const asked = comparisons.map((one) => this.#seen(resource, name, one));
    return isNegated ? asked.map(negation) : asked;
  }

  #seen(resource: Resource, property: string, condition: Condition): Condition {
    return this.#sight ? seen(this.#sight, resource, property, condition) : condition;
  }

  /** Only the rows that a caller may read: others are as good as not there. */
  #related({ kind, resource, property }: RelatedRows, filter: Values, at: Visit, isNone: boolean): Condition {
    if (!this.#sight) this.#admit(resource, kind, at.place);
    const inner = this.#members(resource, filter, { ...at, isNegated: false });
    const readable = kind === 'many' && this.#sight?.readable(resource, property);
    const rows = this.#sight?.rowsOf(resource) ?? resource.filter.whole(this.#principal);
    const conditions = [...rows, ...(readable ? [readable] : []), ...inner];
    const ends = kind === 'one' ? { property, relatedProperty: 'id' } : { property: 'id', relatedProperty: property };
    return { kind: 'related', ...ends, resource: resource.descriptor.key, conditions, isNone };
  }

  /** A caller that may not get or list rows may not ask what they have. */
  #admit({ descriptor: { actions } }: Resource, kind: RelatedRows['kind'], place: string): void {
    const action = kind === 'one' ? (actions.get ?? actions.list) : (actions.list ?? actions.get);
    try {
      authorize(action!.access, this.#principal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'FORBIDDEN') throw error;
      throw remade(error, { errors: [{ parameter: place, detail: 'you may not filter by this' }] });
    }
  }
}

/** By name: REST has members as they are sent, GraphQL as the schema has them, and the first that is refused is reported. */
const inOrder = (filter: Values): readonly (readonly [string, unknown])[] =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Where in a filter the reader is. */
interface Visit {
  readonly isNegated: boolean;
  /** The parameter with a JSON pointer into its value: `filter/or/0/author`. */
  readonly place: string;
  /** Objects of conditions around this, itself included. */
  readonly depth: number;
}

const into = (at: Visit, token: string, depth = at.depth + 1): Visit => ({
  ...at,
  place: at.place === '' ? token : childPointer(at.place, token),
  depth,
});

/** The comparisons that a value, a list of values, or an object of operators asks for. */
function comparisonsWith(property: PropertyDescriptor, value: unknown): readonly Condition[] {
  const absent: Comparison = { property: property.name, operator: 'eq', value: null };
  if (value === null) return [absent];
  if (Array.isArray(value)) return comparisonsOf(property, { shape: 'in', operators: [] }, value);
  if (typeof value !== 'object') return comparisonsOf(property, { shape: 'eq', operators: [] }, value);
  const { in: list, isNull, ...others } = value as Values;
  const operators = Object.keys(others) as FilterOperator[];
  return [
    ...comparisonsOf(property, { shape: 'object', operators }, others),
    ...(list === undefined ? [] : comparisonsOf(property, { shape: 'in', operators: [] }, list)),
    ...(isNull === undefined ? [] : [isNull ? absent : negation(absent)]),
  ];
}

/** The filters of a contract have been checked when it was compiled; those of code have not. */
function checkComparable({ property, descriptor }: Resource, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, enum: values } = lookUp(property, name);
  const isKnown = (one: string): boolean =>
    one === 'isNull' || (VALUE_OPERATORS.includes(one) && type !== 'json' && compares(one, type, values !== undefined));
  const unfit = (Array.isArray(value) ? ['in'] : Object.keys(value)).find((one) => !isKnown(one));
  if (unfit !== undefined)
    throw new Error(`\`${unfit}\` does not compare ${descriptor.name}.${name}, which is ${type}.`);
}

/** The error for code that asks for what the contract does not have. */
export const unknownName = ({ descriptor }: Resource, name: string): Error =>
  new Error(`${descriptor.name} has no property \`${name}\`, and nothing of this name is related to it.`);

const combination = (kind: 'all' | 'any', conditions: readonly Condition[]): Condition =>
  onlyOf(conditions) ?? { kind, conditions };
