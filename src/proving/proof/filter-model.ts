import {
  type PropertyDescriptor,
  propertyNamed,
  type RelationDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { CompareCondition } from '../../descriptor/row-access.ts';
import { admits, type Caller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import { firstText } from './first-text.ts';
import { comparesWith, every, type RuleModel, some, type Verdict } from './rule-model.ts';

type Filter = Readonly<Record<string, unknown>>;

/** Decides by the rows that there are, and by who reads them, which rows a filter finds. */
export class FilterModel {
  readonly #rows: Rows;
  readonly #rules: RuleModel;

  constructor(rows: Rows, rules: RuleModel) {
    this.#rows = rows;
    this.#rules = rules;
  }

  /** Whether a caller may read all resources that a filter goes to. */
  isAdmitted(resource: ResourceDescriptor, filter: Filter, caller: Caller): boolean {
    return Object.entries(filter).every(([name, value]) => {
      if (name === 'and' || name === 'or')
        return (value as readonly Filter[]).every((one) => this.isAdmitted(resource, one, caller));
      if (name === 'not') return this.isAdmitted(resource, value as Filter, caller);
      const relation = resource.relations?.[name];
      if (!relation) return true;
      const related = this.#rows.resource(relation.resource);
      const { get, list } = related.actions;
      const access = relation.kind === 'one' ? (get ?? list) : (list ?? get);
      const inner = relation.kind === 'one' ? [value] : Object.values(value as object);
      return admits(access!.access, caller) && inner.every((one) => this.isAdmitted(related, one as Filter, caller));
    });
  }

  /** A property that a filter asks by, or follows, which its caller does not read on every row. */
  hiddenIn(resource: ResourceDescriptor, filter: Filter, caller: Caller): string | undefined {
    return firstText(Object.entries(filter), ([name, value]) => {
      const inner = (filters: readonly unknown[], of = resource): string | undefined =>
        firstText(filters, (one) => this.hiddenIn(of, one as Filter, caller));
      if (name === 'and' || name === 'or') return inner(value as readonly unknown[]);
      if (name === 'not') return inner([value]);
      const relation = resource.relations?.[name];
      if (!relation) return hidden(resource, name, caller);
      const related = this.#rows.resource(relation.resource);
      return relation.kind === 'one'
        ? (hidden(resource, relation.property, caller) ?? inner([value], related))
        : (hidden(related, relation.property, caller) ?? inner(Object.values(value as object), related));
    });
  }

  /** Whether a filter finds a row, of those that a caller reads. */
  holds(resource: ResourceDescriptor, filter: Filter, row: StoredRecord, caller: Caller): Verdict {
    return every(
      Object.entries(filter).map(([name, value]) => {
        const all = (): readonly Verdict[] =>
          (value as readonly Filter[]).map((one) => this.holds(resource, one, row, caller));
        if (name === 'and') return every(all());
        if (name === 'or') return some(all());
        if (name === 'not') return opposite(this.holds(resource, value as Filter, row, caller));
        const relation = resource.relations?.[name];
        return relation ? this.#related(relation, value as Filter, row, caller) : compared(resource, name, value, row);
      }),
    );
  }

  #related(
    { kind, resource, property }: RelationDescriptor,
    value: Filter,
    row: StoredRecord,
    caller: Caller,
  ): Verdict {
    const other = this.#rows.resource(resource);
    const [own, theirs] = kind === 'one' ? [property, 'id'] : ['id', property];
    const found = this.#rows.of(other).filter((one) => row[own] != null && String(one[theirs]) === String(row[own]));
    const one = (filter: Filter): Verdict =>
      some(
        found.map((related) =>
          every([this.#rules.reads(other, related, caller), this.holds(other, filter, related, caller)]),
        ),
      );
    if (kind === 'one') return one(value);
    return every(
      Object.entries(value).map(([word, filter]) =>
        word === 'none' ? opposite(one(filter as Filter)) : one(filter as Filter),
      ),
    );
  }
}

/** The property with its resource, if the caller does not read it on every row. */
const hidden = (resource: ResourceDescriptor, property: string, caller: Caller): string | undefined =>
  mayAskBy(resource, property, caller) ? undefined : `${resource.name}.${property}`;

/** Whether a caller reads a property on every row, as one that asks by it must. */
export function mayAskBy({ properties }: ResourceDescriptor, name: string, { scopes }: Caller): boolean {
  const rule = propertyNamed(properties, name).access?.read;
  return !rule || rule.some(({ scope, where }) => !where && (scope === undefined || scopes.has(scope)));
}

const opposite = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict);

function compared({ properties }: ResourceDescriptor, name: string, value: unknown, row: StoredRecord): Verdict {
  const property = propertyNamed(properties, name);
  if (Array.isArray(value)) return among(property, value, row);
  if (typeof value !== 'object' || value === null) return comparesWith(property, 'eq', value, row);
  return every(
    Object.entries(value).map(([word, operand]) => {
      if (word === 'isNull') return (row[name] == null) === operand;
      if (word === 'in') return among(property, operand as readonly unknown[], row);
      return comparesWith(property, word as CompareCondition['operator'], operand, row);
    }),
  );
}

const among = (property: PropertyDescriptor, values: readonly unknown[], row: StoredRecord): Verdict =>
  some(values.map((value) => comparesWith(property, 'eq', value, row)));
