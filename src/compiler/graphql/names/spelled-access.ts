import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { AccessAlternative, RowCondition, RuleValue } from '../../../descriptor/row-access.ts';
import type { Spelling } from './rename-document.ts';

/** The resources of a view, with the rules of access of the `originals` in its names. Both are in the same order. */
export function withSpelledAccess(
  resources: readonly ResourceDescriptor[],
  originals: readonly ResourceDescriptor[],
  spelling: Spelling,
): readonly ResourceDescriptor[] {
  const speller = new AccessSpeller(originals, spelling);
  return resources.map((resource, at) => {
    const { rowAccess: _, ...rest } = resource;
    const original = originals[at];
    const access = original?.rowAccess;
    const properties = resource.properties.map(({ access: __, ...property }, i) => {
      const own = original?.properties[i]?.access;
      return own ? { ...property, access: speller.access(original, own) } : property;
    });
    return { ...rest, properties, ...(access && { rowAccess: speller.access(original, access) }) };
  });
}

type Rules = Readonly<Record<string, readonly AccessAlternative[]>>;

class AccessSpeller {
  readonly #byKey: ReadonlyMap<string, ResourceDescriptor>;
  readonly #spelling: Spelling;

  constructor(resources: readonly ResourceDescriptor[], spelling: Spelling) {
    this.#byKey = new Map(resources.map((resource) => [resource.key, resource]));
    this.#spelling = spelling;
  }

  access(resource: ResourceDescriptor, access: Rules): Rules {
    const spelled = ({ scope, where }: AccessAlternative): AccessAlternative => ({
      ...(scope !== undefined && { scope }),
      ...(where && { where: this.#condition(resource, where) }),
    });
    return Object.fromEntries(Object.entries(access).map(([action, list]) => [action, list.map(spelled)]));
  }

  #condition(resource: ResourceDescriptor, condition: RowCondition): RowCondition {
    const { field } = this.#spelling;
    switch (condition.kind) {
      case 'all':
      case 'any':
        return { ...condition, conditions: condition.conditions.map((one) => this.#condition(resource, one)) };
      case 'not':
        return { ...condition, condition: this.#condition(resource, condition.condition) };
      case 'reference':
      case 'some': {
        const target = this.#byKey.get(condition.resource) ?? resource;
        const inner = this.#condition(target, condition.condition);
        return { ...condition, property: field(condition.property), condition: inner };
      }
      case 'isNull':
      case 'tenant':
        return { ...condition, property: field(condition.property) };
      case 'compare': {
        const value = this.#value(resource, condition.property, condition.value);
        return { ...condition, property: field(condition.property), value };
      }
      case 'in': {
        const values = condition.values.map((value) => this.#value(resource, condition.property, value));
        return { ...condition, property: field(condition.property), values };
      }
    }
  }

  #value({ properties }: ResourceDescriptor, property: string, value: RuleValue): RuleValue {
    const states = properties.find(({ name }) => name === property)?.enum;
    if (!states || !('literal' in value)) return value;
    return { literal: this.#spelling.value(String(value.literal)) };
  }
}
