import { isPlainObject } from '../../../descriptor/plain-object.ts';
import {
  type AccessAlternative,
  FIELD_ACTIONS,
  type FieldAccess,
  type FieldAction,
  ROW_ACTIONS,
  type RowAccess,
  type RowAction,
  type RowCondition,
} from '../../../descriptor/row-access.ts';
import type { Place } from '../../findings/finding.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import type { AccessFault } from './access-faults.ts';
import { ConditionReader } from './read-condition.ts';
import type { Reference } from './relations.ts';

const MEMBERS = ['scope', 'where'];

/** What `x-access` of a resource, or of a property, says, and what is wrong with it. */
export interface ReadAccess<Access = RowAccess | FieldAccess> {
  /** Undefined without `x-access`, or where it has faults. */
  readonly access: Access | undefined;
  readonly faults: readonly AccessFault[];
  /** The alternatives that have no faults, with their places. */
  readonly alternatives: readonly PlacedAlternative[];
  /** Where a condition of an alternative stands. */
  placeOf(condition: RowCondition): Place | undefined;
}

export interface PlacedAlternative extends AccessAlternative {
  readonly action: RowAction | FieldAction;
  readonly place: Place;
  /** The object that says it. */
  readonly node: object;
}

/** Reads `x-access` of a resource. `references`: all of the contract. */
export function readAccess(resource: ResourceDraft, references: readonly Reference[]): ReadAccess<RowAccess> {
  const keyword = resource.schema.flat.keywords.get('x-access');
  const reader = new AccessReader<RowAction>(resource, references, ROW_ACTIONS);
  return keyword === undefined ? reader.result(undefined) : reader.read(keyword.value, keyword.node);
}

/** Reads `x-access` of a property. What the schema of a resource says of its rows is nothing that a property says. */
export function readFieldAccess(
  resource: ResourceDraft,
  property: PropertyDraft,
  references: readonly Reference[],
): ReadAccess<FieldAccess> {
  const keyword = property.flat.keywords.get('x-access');
  const reader = new AccessReader<FieldAction>(resource, references, FIELD_ACTIONS);
  return keyword === undefined ? reader.result(undefined) : reader.read(keyword.value, keyword.node);
}

/** What each of the actions needs. */
type Rules<Action extends string> = Readonly<Partial<Record<Action, readonly AccessAlternative[]>>>;

class AccessReader<Action extends RowAction | FieldAction> {
  readonly #resource: ResourceDraft;
  readonly #actions: readonly Action[];
  readonly #conditions: ConditionReader;
  readonly #faults: AccessFault[] = [];
  readonly #alternatives: PlacedAlternative[] = [];

  constructor(resource: ResourceDraft, references: readonly Reference[], actions: readonly Action[]) {
    this.#resource = resource;
    this.#actions = actions;
    this.#conditions = new ConditionReader(references);
  }

  read(value: unknown, node: object): ReadAccess<Rules<Action>> {
    const place = { node, key: 'x-access' };
    if (!isPlainObject(value) || Object.keys(value).length === 0) {
      this.#fault(place, '`x-access` names no action.', `Write ${oneOf(this.#actions)}, each with alternatives.`);
      return this.result(undefined);
    }
    const entries = Object.entries(value).flatMap(([action, list]) => {
      const at = { node: value, key: action };
      if (!this.#isAction(action)) {
        this.#fault(at, `\`${action}\` is not an action of ${this.#place()}.`, { name: action, known: this.#actions });
        return [];
      }
      return [[action, this.#list(action, list, at)] as const];
    });
    return this.result(Object.fromEntries(entries) as Rules<Action>);
  }

  result(access: Rules<Action> | undefined): ReadAccess<Rules<Action>> {
    const faults = [...this.#faults, ...this.#conditions.faults];
    return {
      access: faults.length > 0 ? undefined : access,
      faults,
      alternatives: this.#alternatives,
      placeOf: (condition) => this.#conditions.places.get(condition),
    };
  }

  #list(action: Action, list: unknown, place: Place): readonly AccessAlternative[] {
    if (!Array.isArray(list)) {
      this.#fault(place, `\`${action}\` is a list of alternatives.`, `Write \`${action}: [{ where: { … } }]\`.`);
      return [];
    }
    return list.flatMap((one, index) => this.#alternative(action, one, { node: list, key: index }) ?? []);
  }

  #alternative(action: Action, written: unknown, place: Place): AccessAlternative | undefined {
    if (!isPlainObject(written))
      return this.#fault(place, 'An alternative is an object.', 'Write `scope`, `where` or both.');
    const unknown = Object.keys(written).filter((name) => !MEMBERS.includes(name));
    for (const name of unknown)
      this.#fault({ node: written, key: name }, `\`${name}\` is not a member of an alternative.`, this.#hint(name));
    const { scope } = written;
    if (scope !== undefined && (typeof scope !== 'string' || scope === ''))
      return this.#fault(
        { node: written, key: 'scope' },
        '`scope` is the name of one scope.',
        'Write one alternative for each scope.',
      );
    const where = 'where' in written ? this.#where(written) : undefined;
    if (unknown.length > 0 || ('where' in written && where === undefined)) return undefined;
    const alternative = { ...(scope !== undefined && { scope }), ...(where && { where }) };
    this.#alternatives.push({ ...alternative, action, place, node: written });
    return alternative;
  }

  #where(written: Readonly<Record<string, unknown>>) {
    return this.#conditions.read(this.#resource, written['where'], { node: written, key: 'where' });
  }

  #isAction(name: string): name is Action {
    return (this.#actions as readonly string[]).includes(name);
  }

  #place(): string {
    return (this.#actions as readonly string[]) === FIELD_ACTIONS ? '`x-access` of a property' : '`x-access`';
  }

  /** A property is easily written beside `where` instead of below it. */
  #hint(name: string): AccessFault['hint'] {
    return this.#resource.schema.properties.has(name) ? `Write \`where: { ${name}: … }\`.` : { name, known: MEMBERS };
  }

  #fault(place: Place, message: string, hint: AccessFault['hint']): undefined {
    this.#faults.push({ rule: 'access-shape', message, hint, ...place });
    return undefined;
  }
}

/** `a`, `b` or `c`. */
const oneOf = (names: readonly string[]): string =>
  `${names
    .slice(0, -1)
    .map((name) => `\`${name}\``)
    .join(', ')} or \`${names.at(-1)}\``;
