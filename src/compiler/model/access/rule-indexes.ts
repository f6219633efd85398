import { dependenciesOf, hasFewValues, propertyNamed, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ROW_ACTIONS, type RowCondition } from '../../../descriptor/row-access.ts';

type Keys = readonly (readonly string[])[];
type Described = Pick<
  ResourceDescriptor,
  'key' | 'parent' | 'properties' | 'list' | 'rowAccess' | 'further' | 'unique' | 'tenant'
>;

/**
 * The properties by which indexes find what the rules of all resources ask for, by the key of the resource that has them.
 * `offered`: the conditions that callers may filter by, by the key of the resource that is listed.
 */
export function ruleIndexes(
  resources: readonly Described[],
  offered: ReadonlyMap<string, readonly RowCondition[]> = new Map(),
): ReadonlyMap<string, Keys> {
  const indexes = new RuleIndexes(resources);
  for (const resource of resources) {
    indexes.addRulesOf(resource);
    indexes.addDependencies(resource);
    for (const condition of offered.get(resource.key) ?? []) indexes.addSought(resource, condition);
  }
  return indexes.found;
}

class RuleIndexes {
  readonly #byKey: ReadonlyMap<string, Described>;
  readonly #found = new Map<string, Map<string, readonly string[]>>();

  constructor(resources: readonly Described[]) {
    this.#byKey = new Map(resources.map((resource) => [resource.key, resource]));
  }

  get found(): ReadonlyMap<string, Keys> {
    return new Map([...this.#found].map(([key, keys]) => [key, withoutPrefixes([...keys.values()])]));
  }

  addRulesOf(resource: Described): void {
    // Rows whose properties are asked about are at hand.
    for (const { access = {} } of resource.properties)
      for (const { where } of Object.values(access).flat()) if (where) this.#compared(where, false);
    for (const action of ROW_ACTIONS)
      for (const { where } of resource.rowAccess?.[action] ?? []) {
        // What is changed is at hand; lists look for what the caller may read.
        const isSought = action === 'read';
        const compared = where ? this.#compared(where, isSought) : [];
        if (isSought) this.#addLists(resource, compared);
      }
  }

  /** Rows are found from either end of what joins them. */
  addDependencies({ further = [] }: Described): void {
    for (const { resource, properties } of further.flatMap((one) => dependenciesOf(one))) {
      const { unique = [], tenant } = this.#byKey.get(resource) ?? {};
      const isServed = unique.some((names) => {
        const own = names.filter((name) => name !== tenant?.property);
        return properties.every((name, at) => own[at] === name);
      });
      if (properties.length > 0 && !isServed) this.#add(resource, properties);
    }
  }

  addSought(resource: Described, condition: RowCondition): void {
    this.#addLists(resource, this.#compared(condition, true));
  }

  /** A property of few values has an index with each order, too: else a list would sort a large part of the table. */
  #addLists({ key, parent, list, properties }: Described, compared: readonly string[]): void {
    const scope = parent ? [parent.property] : [];
    const sorts = (list?.sorts ?? []).map(({ property }) => property).filter((name) => name !== 'id');
    for (const name of compared) {
      this.#add(key, [...scope, name]);
      const isCoarse = hasFewValues(propertyNamed(properties, name));
      if (isCoarse) for (const sort of sorts) this.#add(key, [...scope, name, sort]);
    }
  }

  /**
   * The own properties that a condition compares; adds the indexes of the resources that it goes to. `isSought`: the
   * rows for which it holds are looked for, rather than one row judged.
   */
  #compared(condition: RowCondition, isSought: boolean): readonly string[] {
    switch (condition.kind) {
      case 'all':
      case 'any':
        return condition.conditions.flatMap((one) => this.#compared(one, isSought));
      case 'not':
        return this.#compared(condition.condition, isSought);
      case 'reference':
        for (const name of this.#compared(condition.condition, isSought))
          if (isSought) this.#add(condition.resource, [name]);
        return [condition.property];
      case 'some': {
        const names = this.#compared(condition.condition, isSought);
        this.#add(condition.resource, [condition.property, ...names]);
        if (isSought && names.length > 0) this.#add(condition.resource, [...names, condition.property]);
        return [];
      }
      case 'compare':
        return condition.operator === 'contains' ? [] : [condition.property];
      case 'in':
      case 'isNull':
        return [condition.property];
      case 'tenant':
        // All indexes of the table begin with it.
        return [];
    }
  }

  #add(key: string, names: readonly string[]): void {
    const distinct = [...new Set(names)];
    if (distinct[0] === 'id' || !this.#byKey.has(key)) return;
    const keys = this.#found.get(key) ?? new Map<string, readonly string[]>();
    this.#found.set(key, keys.set(distinct.join(), distinct));
  }
}

/** An index serves what the beginnings of it would. */
const withoutPrefixes = (keys: Keys): Keys =>
  keys.filter((key) => !keys.some((other) => other !== key && key.every((name, at) => other[at] === name)));
