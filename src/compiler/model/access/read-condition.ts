import { VALUE_OPERATORS } from '../../../descriptor/filters.ts';
import { isPlainObject, type PlainObject } from '../../../descriptor/plain-object.ts';
import type { CompareCondition, RowCondition, RuleValue } from '../../../descriptor/row-access.ts';
import type { Place } from '../../findings/finding.ts';
import { typeName } from '../../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { appliesTo } from '../filter-operators.ts';
import type { AccessFault, AccessRule } from './access-faults.ts';
import { readValue } from './read-value.ts';
import { inverseName, type Reference, type Relations, relationsOf } from './relations.ts';

/** The words of conditions; a property, a reference or an inverse of this name could not be distinguished from them. */
export const CONDITION_WORDS: readonly string[] = [
  ...['and', 'or', 'not', 'some', 'none'],
  ...VALUE_OPERATORS,
  'isNull',
];

const COMPARISONS = VALUE_OPERATORS.filter((operator) => operator !== 'in');
const OPERATORS: readonly string[] = [...COMPARISONS, 'in', 'isNull'];

type Read = RowCondition | undefined;

/** Reads the conditions of `where`: what they name becomes properties and keys of resources. */
export class ConditionReader {
  readonly faults: AccessFault[] = [];
  /** Where each condition that has been read stands. */
  readonly places = new WeakMap<RowCondition, Place>();
  readonly #references: readonly Reference[];

  /** `references`: all of the contract. */
  constructor(references: readonly Reference[]) {
    this.#references = references;
  }

  /** The condition at a place, on rows of a resource; undefined where it has faults. */
  read(resource: ResourceDraft, written: unknown, place: Place): Read {
    if (!isPlainObject(written))
      return this.#fault(
        'access-shape',
        place,
        'A condition is an object.',
        'For example: `{ ownerId: $claims.sub }`.',
      );
    const relations = relationsOf(resource, this.#references);
    const members = Object.keys(written).map((name) => this.#member(resource, relations, written, name));
    return this.#all(members, place);
  }

  #member(resource: ResourceDraft, relations: Relations, node: PlainObject, name: string): Read {
    const place = { node, key: name };
    const value = node[name];
    if (name === 'and' || name === 'or') return this.#list(resource, value, name, place);
    if (name === 'not') return this.#negated(this.read(resource, value, place), place);
    const property = resource.schema.properties.get(name);
    if (property) return this.#compared(`${resource.name}.${name}`, property, value, place);
    const reference = relations.references.get(name);
    if (reference) return this.#referred(reference, value, place);
    const inverse = relations.inverses.get(name);
    if (inverse) return this.#inverse(name, inverse, value, place);
    return this.#unknown(resource, relations, name, place);
  }

  #list(resource: ResourceDraft, value: unknown, word: 'and' | 'or', place: Place): Read {
    if (!Array.isArray(value))
      return this.#fault(
        'access-shape',
        place,
        `\`${word}\` is a list of conditions.`,
        `Write \`${word}: [{ … }, { … }]\`.`,
      );
    const read = value.map((one, index) => this.read(resource, one, { node: value, key: index }));
    const conditions = present(read);
    return conditions && this.#placed({ kind: word === 'and' ? 'all' : 'any', conditions }, place);
  }

  #compared(name: string, property: PropertyDraft, value: unknown, place: Place): Read {
    if (!isPlainObject(value)) return this.#operation(name, property, 'eq', value, place);
    const words = Object.keys(value);
    if (words.length === 0)
      return this.#fault(
        'access-shape',
        place,
        `\`${name}\` is compared with nothing.`,
        `Write a value, or an operator: ${OPERATORS.join(', ')}.`,
      );
    const compared = words.map((word) => {
      const at = { node: value, key: word };
      return OPERATORS.includes(word)
        ? this.#operation(name, property, word, value[word], at)
        : this.#fault('access-operator', at, `\`${word}\` is not an operator.`, { name: word, known: OPERATORS });
    });
    return this.#all(compared, place);
  }

  #operation(name: string, property: PropertyDraft, operator: string, value: unknown, place: Place): Read {
    if (operator === 'isNull') return this.#isNull(property, value, place);
    if (property.type === 'json' || !appliesTo(operator, property)) {
      const word = operator === 'eq' ? 'An equality' : `\`${operator}\``;
      const hint = property.type === 'json' ? 'Only `isNull` applies to it.' : 'Compare it by equality or `in`.';
      return this.#fault(
        'access-operator',
        place,
        `${word} does not apply to \`${name}\`, which is ${typeName(property.flat)}.`,
        hint,
      );
    }
    if (operator === 'in') return this.#oneOf(name, property, value, place);
    if (operator === 'contains' && value === '')
      return this.#fault('access-value', place, 'Every text contains an empty one.', 'Write the text to look for.');
    const read = this.#value(name, property, value, place);
    const compare = operator as CompareCondition['operator'];
    return read && this.#placed({ kind: 'compare', property: property.name, operator: compare, value: read }, place);
  }

  #isNull(property: PropertyDraft, value: unknown, place: Place): Read {
    if (typeof value !== 'boolean')
      return this.#fault(
        'access-value',
        place,
        '`isNull` is true or false.',
        'Write `isNull: true` or `isNull: false`.',
      );
    const isNull = this.#placed({ kind: 'isNull', property: property.name }, place);
    return value ? isNull : this.#negated(isNull, place);
  }

  /** A list of values, or one claim, which may be a list. */
  #oneOf(name: string, property: PropertyDraft, value: unknown, place: Place): Read {
    const isClaim = typeof value === 'string' && value.startsWith('$claims');
    if (!Array.isArray(value) && !isClaim)
      return this.#fault(
        'access-value',
        place,
        '`in` is a list of values, or a claim.',
        'Write `in: [a, b]`, or `in: $claims.groups`.',
      );
    const list = Array.isArray(value) ? value : undefined;
    const read = list
      ? list.map((one, index) => this.#value(name, property, one, { node: list, key: index }))
      : [this.#value(name, property, value, place)];
    const values = present(read);
    return values && this.#placed({ kind: 'in', property: property.name, values }, place);
  }

  #value(name: string, property: PropertyDraft, written: unknown, place: Place): RuleValue | undefined {
    const read = readValue(property, name, written);
    return 'value' in read ? read.value : this.#fault('access-value', place, read.message, read.hint);
  }

  #referred({ property, target }: Reference, value: unknown, place: Place): Read {
    const condition = this.read(target, value, place);
    return (
      condition && this.#placed({ kind: 'reference', property: property.name, resource: target.key, condition }, place)
    );
  }

  #inverse(name: string, { from, property }: Reference, value: unknown, place: Place): Read {
    const words = isPlainObject(value) ? Object.keys(value) : [];
    const unknown = words.find((word) => word !== 'some' && word !== 'none');
    if (!isPlainObject(value) || words.length === 0 || unknown !== undefined)
      return this.#fault(
        'access-shape',
        place,
        `\`${name}\` is a list of \`${from.name}\`: apply the condition to \`some\` or \`none\` of its rows.`,
        `Write \`${name}: { some: { … } }\`.`,
      );
    const read = words.map((word) => {
      const at = { node: value, key: word };
      const condition = this.read(from, value[word], at);
      const some =
        condition && this.#placed({ kind: 'some', resource: from.key, property: property.name, condition }, at);
      return word === 'none' ? this.#negated(some, at) : some;
    });
    return this.#all(read, place);
  }

  #unknown(resource: ResourceDraft, { references, inverses }: Relations, name: string, place: Place): undefined {
    const known = [...resource.schema.properties.keys(), ...references.keys(), ...inverses.keys()];
    const message = `\`${name}\` is not a property of \`${resource.name}\`, nor a reference, nor the inverse of one.`;
    const otherwise = this.#withoutInverse(resource, name);
    return this.#fault('access-name', place, message, { name, known, ...(otherwise !== undefined && { otherwise }) });
  }

  /** `appointments` may be meant for a reference of `Appointment` that does not name its inverse yet. */
  #withoutInverse(resource: ResourceDraft, name: string): string | undefined {
    const nameless = this.#references.filter((one) => one.target === resource && inverseName(one) === undefined);
    const isOf = ({ from }: Reference) => name.toLowerCase().startsWith(from.name.toLowerCase());
    const meant = nameless.find(isOf) ?? (nameless.length === 1 ? nameless[0] : undefined);
    return meant && `Add \`x-inverse: ${name}\` to \`${meant.from.name}.${meant.property.name}\`.`;
  }

  #negated(condition: Read, place: Place): Read {
    return condition && this.#placed({ kind: 'not', condition }, place);
  }

  #all(read: readonly Read[], place: Place): Read {
    const conditions = present(read);
    if (conditions?.length === 1) return conditions[0];
    return conditions && this.#placed({ kind: 'all', conditions }, place);
  }

  #placed(condition: RowCondition, place: Place): RowCondition {
    this.places.set(condition, place);
    return condition;
  }

  #fault(rule: AccessRule, place: Place, message: string, hint: AccessFault['hint']): undefined {
    this.faults.push({ rule, message, hint, ...place });
    return undefined;
  }
}

/** All of them; undefined if one is missing. */
function present<T>(read: readonly (T | undefined)[]): readonly T[] | undefined {
  const found = read.filter((one) => one !== undefined);
  return found.length === read.length ? found : undefined;
}
