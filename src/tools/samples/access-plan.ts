import { type ResourceDescriptor, resourceWithKey } from '../../descriptor/resource.ts';
import type {
  AccessAlternative,
  CompareCondition,
  ConditionPart,
  RowCondition,
  RuleValue,
} from '../../descriptor/row-access.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { claimAt } from '../token/claims.ts';

/** A row that is to be made, with values that it must have: a row in place of its id. */
export class PlannedRow {
  readonly resource: string;
  readonly values: Record<string, unknown>;

  constructor(resource: string, values: Record<string, unknown> = {}) {
    this.resource = resource;
    this.values = values;
  }
}

/** A row as a sample finds it, or leaves it: what is `sent` stands over what it has. */
export interface View {
  readonly row: PlannedRow;
  readonly sent?: Readonly<Record<string, unknown>>;
}

interface Planned {
  readonly resources: readonly ResourceDescriptor[];
  /** The rows that samples name, by resource: the first is read and changed. */
  readonly named: ReadonlyMap<string, readonly PlannedRow[]>;
  /** Of the caller's token. */
  readonly claims: Claims;
}

type Part<K> = Extract<ConditionPart['condition'], { readonly kind: K }>;

/** Plans values and further rows that rules of access ask for, so that one caller with every scope may do what samples do. */
export class AccessPlan {
  readonly #planned: Planned;
  /** Rows that no sample names, so that none changes them. */
  readonly #beside = new Map<string, readonly PlannedRow[]>();
  /** Steps back to what was planned before, the last at the end. */
  readonly #undo: (() => void)[] = [];

  constructor(planned: Planned) {
    this.#planned = planned;
  }

  /** The rows of a resource: those that samples name, and those beside them. */
  rows = (resource: string): readonly PlannedRow[] => [...this.#named(resource), ...this.#besides(resource)];

  /** Makes a row beside those that samples name, if it is not one of them. */
  add(row: PlannedRow): void {
    const { resource } = row;
    if (this.rows(resource).includes(row)) return;
    const before = this.#besides(resource);
    this.#beside.set(resource, [...before, row]);
    this.#undo.push(() => this.#beside.set(resource, before));
  }

  #named = (resource: string): readonly PlannedRow[] => this.#planned.named.get(resource) ?? [];

  #besides = (resource: string): readonly PlannedRow[] => this.#beside.get(resource) ?? [];

  /** Meets the first alternative that can be met; a scope alone is. */
  meet(alternatives: readonly AccessAlternative[] = [{}], view: View): void {
    if (alternatives.every(({ where }) => where))
      alternatives.some(({ where }) => where && this.#tried(() => this.#meets(where, view)));
  }

  #tried(attempt: () => boolean): boolean {
    const before = this.#undo.length;
    if (attempt()) return true;
    for (const undo of this.#undo.splice(before).reverse()) undo();
    return false;
  }

  #meets(condition: RowCondition, view: View, isWanted = true): boolean {
    switch (condition.kind) {
      case 'all':
      case 'any':
        return (condition.kind === 'all') === isWanted
          ? condition.conditions.every((one) => this.#meets(one, view, isWanted))
          : condition.conditions.some((one) => this.#tried(() => this.#meets(one, view, isWanted)));
      case 'not':
        return this.#meets(condition.condition, view, !isWanted);
      case 'tenant':
        return isWanted;
      case 'isNull':
        return isWanted ? this.#has(view, condition.property, null) : valueIn(view, condition.property) !== null;
      case 'in':
        return isWanted
          ? condition.values.some((value) => this.#has(view, condition.property, this.#given(value)))
          : condition.values.every((value) => this.#lacks(view, condition.property, this.#given(value)));
      case 'compare':
        return this.#compares(condition, view, isWanted);
      case 'reference':
        return isWanted && this.#refers(condition, view);
      case 'some':
        return isWanted && this.#isReferredTo(condition, view);
    }
  }

  /** What is known already and compared by order is left as it is. */
  #compares({ property, operator, value }: CompareCondition, view: View, isWanted: boolean): boolean {
    const given = this.#given(value);
    if (operator === 'eq') return isWanted ? this.#has(view, property, given) : this.#lacks(view, property, given);
    if (!isWanted || valueIn(view, property) !== undefined) return true;
    const step = { gt: 1, lt: -1, gte: 0, lte: 0, contains: 0 }[operator];
    return this.#has(view, property, typeof given === 'number' ? given + step : given);
  }

  #refers({ property, resource, condition }: Part<'reference'>, view: View): boolean {
    const known = valueIn(view, property);
    const named = this.#named(resource);
    const rows =
      known === undefined
        ? [...named.slice(0, 1), ...this.#besides(resource), new PlannedRow(resource)]
        : [known instanceof PlannedRow ? known : named.find((row) => isSame(row, known))];
    return rows.some(
      (row) => row && this.#tried(() => this.#has(view, property, row) && this.#meetsBeside(row, condition)),
    );
  }

  /** Nothing refers to a row that is not there yet. */
  #isReferredTo({ property, resource, condition }: Part<'some'>, { row }: View): boolean {
    if (!this.rows(row.resource).includes(row)) return false;
    const known = this.#besides(resource).filter(({ values }) => values[property] === row);
    const rows = [...known, new PlannedRow(resource, { [property]: row })];
    return rows.some((one) => this.#tried(() => this.#meetsBeside(one, condition)));
  }

  #meetsBeside(row: PlannedRow, condition: RowCondition): boolean {
    this.add(row);
    return this.#meets(condition, { row });
  }

  /** Claims that the token does not have are undefined. */
  #given(value: RuleValue): unknown {
    return 'literal' in value ? value.literal : claimAt(this.#planned.claims, value.claim);
  }

  #has(view: View, property: string, value: unknown): boolean {
    const known = valueIn(view, property);
    if (value === undefined || known !== undefined) return value !== undefined && isSame(known, value);
    const { values } = view.row;
    values[property] = value;
    this.#undo.push(() => delete values[property]);
    return !this.#isTwice(view.row);
  }

  /** Whether another row that is planned has a key of this one. */
  #isTwice(row: PlannedRow): boolean {
    const { unique } = resourceWithKey(this.#planned.resources, row.resource);
    const isKnown = (name: string): boolean => row.values[name] !== undefined;
    return unique.some(
      (names) =>
        names.every(isKnown) &&
        this.rows(row.resource).some(
          (one) => one !== row && names.every((name) => isSame(one.values[name], row.values[name])),
        ),
    );
  }

  /** What is made of a schema is seldom the value of a rule, unless it is one of a few. */
  #lacks(view: View, property: string, value: unknown): boolean {
    const known = valueIn(view, property);
    if (known !== undefined) return !isSame(known, value);
    const { properties } = resourceWithKey(this.#planned.resources, view.row.resource);
    const found = properties.find(({ name }) => name === property);
    const other = found?.type === 'boolean' ? value !== true : found?.enum?.find((one) => one !== value);
    return other === undefined || this.#has(view, property, other);
  }
}

const valueIn = ({ row, sent = {} }: View, property: string): unknown =>
  property in sent ? sent[property] : row.values[property];

/** A row is the same as its id. */
const isSame = (one: unknown, other: unknown): boolean => one === other || idOf(one) === idOf(other);

const idOf = (value: unknown): unknown => (value instanceof PlannedRow ? (value.values['id'] ?? value) : value);
