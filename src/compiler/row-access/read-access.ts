import { type AccessAlternative, ROW_ACTIONS, type RowAccess, type RowAction } from '../../descriptor/row-access.ts';
import type { ResourceDraft } from '../model/draft.ts';
import type { AccessFault, AccessPlace } from './access-faults.ts';
import { isPlainObject } from './plain-object.ts';
import { ConditionReader } from './read-condition.ts';
import type { Reference } from './relations.ts';

const MEMBERS = ['scope', 'where'];

/** What `x-access` of a resource says, and what is wrong with it. */
export interface ReadAccess {
  /** Undefined where there is no `x-access`, or where it has faults. */
  readonly access: RowAccess | undefined;
  readonly faults: readonly AccessFault[];
  /** The alternatives that have no faults, with their places. */
  readonly alternatives: readonly PlacedAlternative[];
  /** Where a condition of an alternative stands. */
  placeOf(condition: object): AccessPlace | undefined;
}

export interface PlacedAlternative extends AccessAlternative {
  readonly action: RowAction;
  readonly place: AccessPlace;
}

/** Reads `x-access` of a resource. `references`: all of the contract. */
export function readAccess(resource: ResourceDraft, references: readonly Reference[]): ReadAccess {
  const keyword = resource.schema.flat.keywords.get('x-access');
  const reader = new AccessReader(resource, references);
  return keyword === undefined ? reader.result(undefined) : reader.read(keyword.value, keyword.node);
}

class AccessReader {
  readonly #resource: ResourceDraft;
  readonly #conditions: ConditionReader;
  readonly #faults: AccessFault[] = [];
  readonly #alternatives: PlacedAlternative[] = [];

  constructor(resource: ResourceDraft, references: readonly Reference[]) {
    this.#resource = resource;
    this.#conditions = new ConditionReader(references);
  }

  read(value: unknown, node: object): ReadAccess {
    const place = { node, key: 'x-access' };
    if (!isPlainObject(value) || Object.keys(value).length === 0) {
      this.#fault(
        place,
        '`x-access` names no action.',
        'Write `read`, `create`, `update` or `delete`, each with alternatives.',
      );
      return this.result(undefined);
    }
    const entries = Object.entries(value).flatMap(([action, list]) => {
      const at = { node: value, key: action };
      if (!isAction(action)) {
        this.#fault(at, `\`${action}\` is not an action of \`x-access\`.`, { name: action, known: ROW_ACTIONS });
        return [];
      }
      return [[action, this.#list(action, list, at)] as const];
    });
    return this.result(Object.fromEntries(entries));
  }

  result(access: RowAccess | undefined): ReadAccess {
    const faults = [...this.#faults, ...this.#conditions.faults];
    return {
      access: faults.length > 0 ? undefined : access,
      faults,
      alternatives: this.#alternatives,
      placeOf: (condition) => this.#conditions.places.get(condition as never),
    };
  }

  #list(action: RowAction, list: unknown, place: AccessPlace): readonly AccessAlternative[] {
    if (!Array.isArray(list)) {
      this.#fault(place, `\`${action}\` is a list of alternatives.`, `Write \`${action}: [{ where: { … } }]\`.`);
      return [];
    }
    return list.flatMap((one, index) => this.#alternative(action, one, { node: list, key: index }) ?? []);
  }

  #alternative(action: RowAction, written: unknown, place: AccessPlace): AccessAlternative | undefined {
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
    this.#alternatives.push({ ...alternative, action, place });
    return alternative;
  }

  #where(written: Readonly<Record<string, unknown>>) {
    return this.#conditions.read(this.#resource, written['where'], { node: written, key: 'where' });
  }

  /** A property is easily written beside `where` instead of below it. */
  #hint(name: string): AccessFault['hint'] {
    return this.#resource.schema.properties.has(name) ? `Write \`where: { ${name}: … }\`.` : { name, known: MEMBERS };
  }

  #fault(place: AccessPlace, message: string, hint: AccessFault['hint']): undefined {
    this.#faults.push({ rule: 'access-shape', message, hint, ...place });
    return undefined;
  }
}

const isAction = (name: string): name is RowAction => (ROW_ACTIONS as readonly string[]).includes(name);
