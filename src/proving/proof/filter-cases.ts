import { flatSchema, schemaNamed } from '../../compiler/model/index.ts';
import type { Schema } from '../../descriptor/document.ts';
import { MAX_FILTER_COMPARISONS, MAX_FILTER_DEPTH } from '../../descriptor/filters.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Proof } from './proof.ts';

type Filter = Readonly<Record<string, unknown>>;

/** Levels of relations that filters go to. */
const MAX_RELATIONS = 2;

/** Filters that the schema of a list offers, on values that occur in rows. */
export class FilterCases {
  readonly #proof: Proof;
  readonly #resource: ResourceDescriptor;

  constructor(proof: Proof, resource: ResourceDescriptor) {
    this.#proof = proof;
    this.#resource = resource;
  }

  /** Each condition, negated, too. */
  *single(): Generator<Filter> {
    const isNegatable = this.#membersOf(this.#resource).has('not');
    for (const one of this.#conditions(this.#resource, MAX_RELATIONS)) {
      yield one;
      if (isNegatable) yield { not: one };
    }
  }

  /** Some conditions together: one of a few rows beside one of nearly all, so that `and` and `or` find different rows. */
  *together(): Generator<Filter> {
    const { random } = this.#proof;
    const words = this.#membersOf(this.#resource);
    const found = [...this.#conditions(this.#resource, MAX_RELATIONS)];
    const isNegatable = words.has('not');
    for (const word of ['and', 'or'].filter((one) => words.has(one)))
      for (let i = 0; i < 4; i++) {
        const [first, second] = random.sample(found, 2);
        if (!first || !second) return;
        const some = isNegatable ? [first, { not: second }] : [first, second];
        yield { [word]: some };
        if (isNegatable) yield { not: { [word]: some } };
      }
  }

  /** Filters beyond the bounds. */
  *excessive(): Generator<Filter> {
    const words = this.#membersOf(this.#resource);
    const [first] = this.#conditions(this.#resource, 0);
    if (!first) return;
    if (words.has('or')) yield { or: Array.from({ length: MAX_FILTER_COMPARISONS + 1 }, () => first) };
    if (words.has('not'))
      yield Array.from({ length: MAX_FILTER_DEPTH }).reduce<Filter>((inner) => ({ not: inner }), first);
  }

  *#conditions(resource: ResourceDescriptor, left: number): Generator<Filter> {
    const { random } = this.#proof;
    for (const [name, schema] of this.#membersOf(resource)) {
      const relation = resource.relations?.[name];
      if (relation && left > 0) {
        const related = this.#proof.rows.resource(relation.resource);
        const inner = [{}, ...random.sample([...this.#conditions(related, left - 1)], 3)];
        const words = relation.kind === 'many' ? this.#namesOf(schema) : [];
        for (const one of inner)
          if (relation.kind === 'one') yield { [name]: one };
          else for (const word of words) yield { [name]: { [word]: one } };
      } else if (!relation && resource.properties.some((property) => property.name === name))
        // What rows have need not be what may be asked for.
        for (const value of this.#values(resource, name, schema))
          if (this.#proof.accepts(schema, value)) yield { [name]: value };
    }
  }

  /** What a property may be compared with: a value, several, or an operator with its own. */
  *#values(resource: ResourceDescriptor, name: string, schema: Schema): Generator<unknown> {
    const { random, rows } = this.#proof;
    const known = rows.of(resource).map((row) => row[name]);
    const values = random.sample([...new Set(known.filter((value) => value !== null && value !== undefined))], 2);
    const operators = this.#namesOf(schema);
    const isList = flatSchema(this.#proof.contract.document, schema).keywords.has('items');
    if (operators.includes('isNull')) yield { isNull: random.pick([true, false]) };
    if (isList) yield values;
    else if (operators.includes('in')) yield { in: values };
    for (const value of isList ? [] : values)
      if (operators.length === 0) yield value;
      else
        for (const operator of operators.filter((one) => one !== 'in' && one !== 'isNull'))
          yield { [operator]: operator === 'contains' ? [...String(value)].slice(0, 3).join('') : value };
  }

  /** The members of the schema of conditions on rows of a resource. */
  #membersOf({ name }: ResourceDescriptor): ReadonlyMap<string, Schema> {
    const { document } = this.#proof.contract;
    const schema = schemaNamed(document, `${name}Filter`) ?? true;
    return new Map([...flatSchema(document, schema).properties].map(([key, { schemas }]) => [key, schemas.at(-1)!]));
  }

  #namesOf(schema: Schema): readonly string[] {
    return [...flatSchema(this.#proof.contract.document, schema).properties.keys()];
  }
}
