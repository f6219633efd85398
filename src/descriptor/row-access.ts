/** The actions that `x-access` of a schema may name, in the order of the docs. */
export const ROW_ACTIONS = ['read', 'create', 'update', 'delete'] as const;
export type RowAction = (typeof ROW_ACTIONS)[number];

/**
 * What `x-access` of a schema says of its rows, by action: any alternative suffices. An action without an entry is decided
 * by `security` alone.
 */
export type RowAccess = Readonly<Partial<Record<RowAction, readonly AccessAlternative[]>>>;

/** Holds when its scope and its condition both do; what is left out holds. */
export interface AccessAlternative {
  readonly scope?: string;
  readonly where?: RowCondition;
}

/**
 * A condition over a row, the rows that it refers to, and the rows that refer to it. It holds or it does not: a comparison
 * with null does not hold, and one with a claim that is missing or of another type does not, negated or not.
 */
export type RowCondition =
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly RowCondition[] }
  | { readonly kind: 'not'; readonly condition: RowCondition }
  | CompareCondition
  | { readonly kind: 'in'; readonly property: string; readonly values: readonly RuleValue[] }
  | { readonly kind: 'isNull'; readonly property: string }
  /** The row is of the caller's tenant, or the caller has the scope `across`. */
  | TenantCondition
  /** The row of `resource` (its key) whose id is this row's `property`; the parent, by its property, is one. */
  | {
      readonly kind: 'reference';
      readonly property: string;
      readonly resource: string;
      readonly condition: RowCondition;
    }
  /** At least one row of `resource` (its key) whose `property` is this row's id. `none` is `not` of it. */
  | { readonly kind: 'some'; readonly resource: string; readonly property: string; readonly condition: RowCondition };

/**
 * Whose rows are whose (`x-tenant` of the document): the value of `property` is the claim of who creates a row, and of who
 * sees it.
 */
export interface TenantRule {
  readonly property: string;
  /** The path of the claim in a token. */
  readonly claim: readonly string[];
  /** Callers with this scope see the rows of all tenants. */
  readonly across?: string;
}

export interface TenantCondition extends TenantRule {
  readonly kind: 'tenant';
}

export interface CompareCondition {
  readonly kind: 'compare';
  readonly property: string;
  readonly operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains';
  readonly value: RuleValue;
}

/**
 * A value of the contract, or of the caller's claims by path. A claim that is a list stands, in `in`, for each of its
 * values.
 */
export type RuleValue = { readonly literal: string | number | boolean } | { readonly claim: readonly string[] };

/** The actions that `x-access` of a property may name. */
export const FIELD_ACTIONS = ['read', 'write'] as const;
export type FieldAction = (typeof FIELD_ACTIONS)[number];

/**
 * What `x-access` of a property says of it, by action, row by row: any alternative suffices. Whoever reads the row reads it
 * without an entry, and whoever creates or changes the row writes it.
 */
export type FieldAccess = Readonly<Partial<Record<FieldAction, readonly AccessAlternative[]>>>;

interface Ruled {
  readonly owner?: { readonly scope?: string };
  readonly rowAccess?: RowAccess;
  readonly properties: readonly { readonly access?: FieldAccess }[];
}

/** All alternatives of a resource's rules: those of its rows, and those of its properties. */
export const alternativesOf = ({ rowAccess, properties }: Ruled): readonly AccessAlternative[] =>
  [rowAccess ?? {}, ...properties.map(({ access = {} }) => access)].flatMap((rules) => Object.values(rules).flat());

/** The scopes that lift a resource's rules: that of its owners, and those of the alternatives. */
export const scopesOfRules = (resource: Ruled): readonly string[] => [
  ...(resource.owner?.scope === undefined ? [] : [resource.owner.scope]),
  ...alternativesOf(resource).flatMap(scopesOf),
];

function scopesOf({ scope, where }: AccessAlternative): readonly string[] {
  const conditions = where?.kind === 'all' ? where.conditions : where ? [where] : [];
  const across = conditions.flatMap((one) => (one.kind === 'tenant' ? (one.across ?? []) : []));
  return [...(scope === undefined ? [] : [scope]), ...across];
}

/** A comparison or a relation of a condition. */
export interface ConditionPart {
  readonly condition: Exclude<RowCondition, { readonly kind: 'all' | 'any' | 'not' }>;
  /** Key of the resource on whose rows it is. */
  readonly resource: string;
  /** They are related to those of the whole condition. */
  readonly isRelated: boolean;
}

/** What a condition on rows of a resource, by its key, consists of, in its order. */
export function* partsOf(condition: RowCondition, resource: string, isRelated = false): Iterable<ConditionPart> {
  switch (condition.kind) {
    case 'all':
    case 'any':
      for (const one of condition.conditions) yield* partsOf(one, resource, isRelated);
      break;
    case 'not':
      yield* partsOf(condition.condition, resource, isRelated);
      break;
    default:
      yield { condition, resource, isRelated };
      if ('condition' in condition) yield* partsOf(condition.condition, condition.resource, true);
  }
}

/** A condition with what `map` makes of those directly inside it. */
export function withInner(condition: RowCondition, map: (inner: RowCondition) => RowCondition): RowCondition {
  if ('conditions' in condition) return { ...condition, conditions: condition.conditions.map(map) };
  return 'condition' in condition ? { ...condition, condition: map(condition.condition) } : condition;
}

/** Whether a condition reads other rows than the one that it is on. */
export const readsOtherRows = (condition: RowCondition): boolean =>
  [...partsOf(condition, '')].some(({ condition: { kind } }) => kind === 'reference' || kind === 'some');

/** A property that rules of row access compare with a value. */
export interface Compared {
  /** Key of the resource. */
  readonly resource: string;
  readonly property: string;
  readonly value: RuleValue;
  /** Whether the value is one of several, so that a claim may be a list. */
  readonly isOneOf: boolean;
}

/** What the rules of a contract compare with what. */
export const comparedIn = (resources: readonly (Ruled & { readonly key: string })[]): readonly Compared[] =>
  resources.flatMap((resource) =>
    alternativesOf(resource).flatMap(({ where }) => (where ? comparedBy(where, resource.key) : [])),
  );

/** What a condition on the rows of a resource, by its key, compares with what. */
export const comparedBy = (condition: RowCondition, resource: string): readonly Compared[] =>
  [...partsOf(condition, resource)].flatMap(({ condition: one, resource: of }) => {
    const isOneOf = one.kind === 'in';
    return valuesOf(one).map((value) => ({ resource: of, property: one.property, value, isOneOf }));
  });

function valuesOf(condition: ConditionPart['condition']): readonly RuleValue[] {
  switch (condition.kind) {
    case 'compare':
      return [condition.value];
    case 'in':
      return condition.values;
    case 'tenant':
      return [{ claim: condition.claim }];
    default:
      return [];
  }
}
