import type { Table } from '../../../descriptor/table.ts';
import type { Comparison, Condition, Relation, RowQuery } from '../store.ts';
import { dividedBy } from './branches.ts';
import { comparisonsIn, type TestContext, tenantIn } from './conditions.ts';
import { isPacked, width } from './shapes.ts';

type TableOf = TestContext['tableOf'];

/**
 * Whether an index leads to the rows of a page, so that reading it costs the same in a table of any size. Other pages may
 * take a scan of the whole table, to find few rows or to sort many.
 */
export const isPageBounded = (table: Table, query: RowQuery): boolean =>
  isKeyed(table, query.conditions) || isServed(table, query);

function isServed(table: Table, query: RowQuery): boolean {
  const { conditions, order } = query;
  const comparisons = comparisonsIn(conditions);
  // An index leads to the rows in their order, but perhaps to many that other conditions leave out.
  if (comparisons.length < conditions.length) return false;
  const fixed = fixedBy(table, query);
  const ranges = comparisons.filter(({ property }) => !fixed.has(property));
  const keys = order.filter(({ property }) => !fixed.has(property));
  const isRange = ({ operator, property }: Comparison): boolean =>
    operator !== 'contains' && operator !== 'in' && operator !== 'eq' && property === keys[0]?.property;
  if (!ranges.every(isRange) || keys.some(({ direction }) => direction !== keys[0]!.direction)) return false;
  const sorted = keys.map(({ property }) => property);
  return table.keys.some((index) => isServedBy(index, fixed, sorted));
}

/**
 * The comparisons by which an index leads to rows in the order of the page, if others than comparisons decide about them,
 * too: as many comparisons as there is an index for, of which one names the tenant.
 */
export function leadingAhead(table: Table, query: RowQuery): ReadonlySet<Condition> | undefined {
  const comparisons = comparisonsIn(query.conditions);
  if (comparisons.length === query.conditions.length || comparisons.some(isSearch)) return undefined;
  const own = tenantIn(table.tenant?.name, comparisons);
  const within = own ? [own] : [];
  const equal = [...new Set([...within, ...comparisons.filter(({ operator }) => operator === 'eq')])];
  const leading = [comparisons, equal, equal.slice(0, within.length + 1), within].find((conditions) => {
    const led = { ...query, conditions };
    return !dividedBy(table, led) && isPageBounded(table, led);
  });
  return leading && new Set(leading);
}

/** As many rows as are counted as fast as a page is read. */
const FEW = 10_001;

/** Whether counting these rows, up to `most`, costs the same in a table of any size. */
export function isCountBounded(
  table: Table,
  conditions: readonly Condition[],
  most = Number.POSITIVE_INFINITY,
): boolean {
  const comparisons = comparisonsIn(conditions);
  if (isKeyed(table, conditions)) return true;
  if (most > FEW || comparisons.length < conditions.length) return false;
  // Nothing is sorted, so that an index finds the rows of several values as it does those of one.
  const single = comparisons.map((one): Comparison => (one.operator === 'in' ? { ...one, operator: 'eq' } : one));
  const query = { resource: table.descriptor.key, conditions: single, limit: most };
  const first = new Set(['id', ...comparisons.map(({ property }) => property)]);
  return [...first].some((property) => isServed(table, { ...query, order: [{ property, direction: 'asc' }] }));
}

/** Whether each value of a unique key stands for one row, which nothing but comparisons is asked about; or no row does. */
function isKeyed(table: Table, conditions: readonly Condition[]): boolean {
  const comparisons = comparisonsIn(conditions);
  if (comparisons.some((condition) => condition.operator === 'in' && width(condition) === 0)) return true;
  if (comparisons.length < conditions.length || comparisons.some(isSearch)) return false;
  const given = new Set(comparisons.filter(isGiven).map(({ property }) => property));
  return table.uniques.some((key) => key.every((property) => given.has(property)));
}

/** Whether an index leads to the rows with given ids. */
export const areIdsKeyed = ({ tenant, uniques }: Table, conditions: readonly Condition[]): boolean =>
  !tenant || tenantIn(tenant.name, conditions) !== undefined || uniques.some((key) => key.join() === 'id');

const isSearch = ({ operator }: Comparison): boolean => operator === 'search';

const isGiven = (condition: Comparison): boolean =>
  (condition.operator === 'eq' || condition.operator === 'in') && condition.value !== null && width(condition) > 0;

/**
 * The comparisons by which an index finds rows, as those with an owner, a parent or a reference: few rows may have what
 * they ask for, or many. None where the other conditions may take long even if they are asked about few rows.
 */
export const leadsIn = (tableOf: TableOf, table: Table, conditions: readonly Condition[]): readonly Comparison[] =>
  areTestsBounded(tableOf, conditions)
    ? comparisonsIn(conditions).filter(
        (one) => isGiven(one) && !isPacked(one.value) && isLead(table, one.property, conditions),
      )
    : [];

/** A tenant may have many rows. */
export function isLead(table: Table, property: string, conditions: readonly Condition[]): boolean {
  const { keys, tenant } = table;
  if (property === (tenant?.name ?? table.descriptor.tenant?.property)) return false;
  const within = tenant && tenantIn(tenant.name, conditions)?.property;
  return keys.some(([first, second]) => (first === within ? second : first) === property);
}

/** Whether each of the conditions is tested on one row by what indexes lead to. */
export const areTestsBounded = (tableOf: TableOf, conditions: readonly Condition[]): boolean =>
  conditions.every((condition) => {
    switch (condition.kind) {
      case undefined:
        // The words of a search are looked for in the whole table.
        return !isSearch(condition);
      case 'not':
        return true;
      case 'related':
        return isRelationBounded(tableOf, condition);
      default:
        return areTestsBounded(tableOf, condition.conditions);
    }
  });

/** Whether an index leads to the one related row that can be, or to any that has all that is asked for. */
function isRelationBounded(tableOf: TableOf, { resource, relatedProperty, conditions }: Relation): boolean {
  const table = tableOf(resource);
  const comparisons = comparisonsIn(conditions).filter(isGiven);
  const given = new Set([relatedProperty, ...comparisons.map(({ property }) => property)]);
  if (table.uniques.some((key) => key.every((property) => given.has(property))))
    return areTestsBounded(tableOf, conditions);
  return comparisons.length === conditions.length && table.keys.some((index) => isServedBy(index, given, []));
}

/** The names of a table, and of those that conditions lead to. */
export const tablesOf = (tableOf: TableOf, table: Table, conditions: readonly Condition[]): readonly string[] => [
  table.name,
  ...conditions.flatMap((one) => {
    if (one.kind === undefined || one.kind === 'not') return [];
    return tablesOf(tableOf, one.kind === 'related' ? tableOf(one.resource) : table, one.conditions);
  }),
];

/** Properties with one value on the whole page, or on each of the branches that the query is split into. */
function fixedBy(table: Table, query: RowQuery): ReadonlySet<string> {
  const divided = dividedBy(table, query);
  const fixed = comparisonsIn(query.conditions).filter(
    (condition) => condition.operator === 'eq' || condition === divided,
  );
  return new Set(fixed.map(({ property }) => property));
}

function isServedBy(index: readonly string[], fixed: ReadonlySet<string>, sorted: readonly string[]): boolean {
  const prefix = index.slice(0, fixed.size);
  if (prefix.length < fixed.size || !prefix.every((property) => fixed.has(property))) return false;
  return sorted.every((property, i) => index[fixed.size + i] === property);
}
