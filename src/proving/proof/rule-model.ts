import { isUuid } from '../../descriptor/formats/formats.ts';
import { type PropertyDescriptor, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type {
  AccessAlternative,
  CompareCondition,
  FieldAction,
  RowAction,
  RowCondition,
  RuleValue,
  TenantCondition,
} from '../../descriptor/row-access.ts';
import { claimAt } from '../../tools/token/index.ts';
import type { Caller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';

/** Undefined: the model does not know. */
export type Verdict = boolean | undefined;

/**
 * Decides by the rules of the contract alone, over the rows that there are, who may do what. It is not enough that both
 * protocols agree, because they run the same code. What databases may compare in their own ways, such as the order of
 * texts, it does not know.
 */
export class RuleModel {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Whether the caller may read a row: by its own rule, and those of what it belongs to. */
  reads(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): Verdict {
    const own = this.allows('read', resource, row, caller);
    const { parent, owner } = resource;
    if (owner) return own === false ? false : undefined;
    if (!parent) return own;
    const above = this.#rows.resource(parent.resource);
    const record = this.#rows.find(above, row[parent.property] as string);
    return every([own, record ? this.reads(above, record, caller) : undefined]);
  }

  /** Whether the resource's rule for an action holds; true without one. */
  allows(action: RowAction, resource: ResourceDescriptor, row: StoredRecord, caller: Caller): Verdict {
    return this.#permits(resource.rowAccess?.[action], resource, row, caller);
  }

  /** Whether the rule of a property for an action holds on a row; true without one. */
  allowsField(
    action: FieldAction,
    resource: ResourceDescriptor,
    property: string,
    row: StoredRecord,
    caller: Caller,
  ): Verdict {
    return this.#permits(propertyOf(resource, property).access?.[action], resource, row, caller);
  }

  #permits(
    alternatives: readonly AccessAlternative[] | undefined,
    resource: ResourceDescriptor,
    row: StoredRecord,
    caller: Caller,
  ): Verdict {
    if (!alternatives) return true;
    return some(
      alternatives.map(({ scope, where }) => {
        if (scope !== undefined && !caller.scopes.has(scope)) return false;
        return where ? this.#holds(where, resource, row, caller, false) : true;
      }),
    );
  }

  /** Whether rows of tenants are written by a caller of none. */
  isTenantless(resource: ResourceDescriptor, caller: Caller): boolean {
    const { tenant, parent } = resource;
    if (!tenant) return parent !== undefined && this.isTenantless(this.#rows.resource(parent.resource), caller);
    const condition = { kind: 'tenant', ...tenant } as const;
    return (
      !seesAll(condition, caller) && tenantFor(condition, propertyOf(resource, tenant.property), caller) === undefined
    );
  }

  /** Whether a row is of the caller's own tenant; true where rows are of none. */
  isOwn(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): boolean {
    const { tenant } = resource;
    if (!tenant) return true;
    const property = propertyOf(resource, tenant.property);
    return tenantFor({ kind: 'tenant', ...tenant }, property, caller) === comparable(property, row[tenant.property]);
  }

  /** Whether a row, and those that it belongs to, are of the caller's own tenant. */
  isWithin(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): boolean {
    const { parent } = resource;
    const above = parent && this.#rows.resource(parent.resource);
    const record = above && this.#rows.find(above, row[parent.property] as string);
    return this.isOwn(resource, row, caller) && (!above || !record || this.isWithin(above, record, caller));
  }

  #holds(
    condition: RowCondition,
    resource: ResourceDescriptor,
    row: StoredRecord,
    caller: Caller,
    isNegated: boolean,
  ): Verdict {
    switch (condition.kind) {
      case 'all':
      case 'any': {
        const parts = condition.conditions.map((one) => this.#holds(one, resource, row, caller, isNegated));
        return (condition.kind === 'all') === isNegated ? some(parts) : every(parts);
      }
      case 'not':
        return this.#holds(condition.condition, resource, row, caller, !isNegated);
      case 'isNull':
        return isAbsent(row[condition.property]) !== isNegated;
      case 'compare':
      case 'in':
        return compares(condition, propertyOf(resource, condition.property), row, caller, isNegated);
      case 'tenant':
        return isOfTenant(condition, propertyOf(resource, condition.property), row, caller);
      case 'reference':
      case 'some':
        return this.#related(condition, row, caller, isNegated);
    }
  }

  #related(
    condition: RowCondition & { readonly kind: 'reference' | 'some' },
    row: StoredRecord,
    caller: Caller,
    isNegated: boolean,
  ): Verdict {
    const { kind, property } = condition;
    if (isNegated && this.#lacksClaim(condition.condition, condition.resource, caller)) return false;
    const other = this.#rows.resource(condition.resource);
    const [own, theirs] = kind === 'reference' ? [property, 'id'] : ['id', property];
    const related = this.#rows
      .of(other)
      .filter((one) => !isAbsent(row[own]) && String(one[theirs]) === String(row[own]));
    const found = some(related.map((one) => this.#holds(condition.condition, other, one, caller, false)));
    return found === undefined ? undefined : found !== isNegated;
  }

  /** Whether a condition compares with a claim that the caller has not, or of another type. */
  #lacksClaim(condition: RowCondition, key: string, caller: Caller): boolean {
    switch (condition.kind) {
      case 'all':
      case 'any':
        return condition.conditions.some((one) => this.#lacksClaim(one, key, caller));
      case 'not':
        return this.#lacksClaim(condition.condition, key, caller);
      case 'reference':
      case 'some':
        return this.#lacksClaim(condition.condition, condition.resource, caller);
      case 'isNull':
        return false;
      case 'tenant':
        return (
          !seesAll(condition, caller) && tenantFor(condition, this.#property(key, condition), caller) === undefined
        );
      default:
        return valuesFor(condition, this.#property(key, condition), caller) === undefined;
    }
  }

  #property(key: string, { property }: { readonly property: string }): PropertyDescriptor {
    return propertyOf(this.#rows.resource(key), property);
  }
}

const propertyOf = ({ properties }: ResourceDescriptor, name: string): PropertyDescriptor =>
  propertyNamed(properties, name);

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

export function every(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

export function some(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

const seesAll = ({ across }: TenantCondition, { scopes }: Caller): boolean =>
  across !== undefined && scopes.has(across);

/** The caller's tenant; undefined where it has none. */
function tenantFor({ claim }: TenantCondition, property: PropertyDescriptor, { claims }: Caller) {
  const value = claimAt(claims, claim);
  return value === '' ? undefined : comparable(property, value);
}

function isOfTenant(condition: TenantCondition, property: PropertyDescriptor, row: StoredRecord, caller: Caller) {
  if (seesAll(condition, caller)) return true;
  const tenant = tenantFor(condition, property, caller);
  return tenant !== undefined && tenant === comparable(property, row[property.name]);
}

type Leaf = RowCondition & { readonly kind: 'compare' | 'in' };

function compares(
  leaf: Leaf,
  property: PropertyDescriptor,
  row: StoredRecord,
  caller: Caller,
  isNegated: boolean,
): Verdict {
  const values = valuesFor(leaf, property, caller);
  if (values === undefined) return false;
  const own = comparable(property, row[property.name]);
  if (own === undefined) return isNegated;
  const found = leaf.kind === 'in' ? values.includes(own) : ordered(leaf.operator, own, values[0]!);
  return found === undefined ? undefined : found !== isNegated;
}

/** Whether a row has a value that an operator finds by another one. */
export function comparesWith(
  property: PropertyDescriptor,
  operator: CompareCondition['operator'],
  value: unknown,
  row: StoredRecord,
): Verdict {
  const [own, other] = [comparable(property, row[property.name]), comparable(property, value)];
  if (own === undefined) return false;
  return other === undefined ? undefined : ordered(operator, own, other);
}

function ordered(operator: string, own: string | number | boolean, value: string | number | boolean): Verdict {
  if (operator === 'eq') return own === value;
  if (typeof own !== 'number' || typeof value !== 'number') return undefined;
  switch (operator) {
    case 'gt':
      return own > value;
    case 'gte':
      return own >= value;
    case 'lt':
      return own < value;
    case 'lte':
      return own <= value;
    default:
      return undefined;
  }
}

/** The values that a caller brings to a comparison; undefined where a claim is missing, or no value of the property. */
function valuesFor(leaf: Leaf, property: PropertyDescriptor, caller: Caller) {
  const written = leaf.kind === 'in' ? leaf.values : [leaf.value];
  const given = written.flatMap((value) => givenFor(value, caller, leaf.kind === 'in'));
  const values = given.map((value) => comparable(property, value));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function givenFor(value: RuleValue, caller: Caller, isOneOf: boolean): readonly unknown[] {
  if ('literal' in value) return [value.literal];
  const claim = claimAt(caller.claims, value.claim);
  return isOneOf && Array.isArray(claim) ? claim : [claim];
}

const NUMBERS = ['integer', 'number'];

/** A value in the form in which equal ones are the same; undefined for what is not a value of the property. */
function comparable({ type }: PropertyDescriptor, value: unknown): string | number | boolean | undefined {
  if (NUMBERS.includes(type)) return typeof value === 'number' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'date-time') return typeof value === 'string' ? timeOf(value) : undefined;
  if (type === 'int64' || type === 'decimal')
    return typeof value === 'object' || isAbsent(value) ? undefined : String(value);
  if (typeof value !== 'string') return undefined;
  if (type === 'uuid') return isUuid(value) ? value.toLowerCase() : undefined;
  return value;
}

function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
