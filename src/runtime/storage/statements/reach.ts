import { indexesOf } from '../../../descriptor/indexes.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { Comparison, Condition, RowQuery } from '../store.ts';
import { dividedBy } from './branches.ts';
import { comparisonsIn, width } from './conditions.ts';

/**
 * Whether an index leads to the rows of a page, so that reading it costs the same in a table of any size. Other pages may
 * take a scan of the whole table, to find few rows or to sort many.
 */
export function isPageBounded(table: Table, query: RowQuery): boolean {
  const { conditions, order } = query;
  const comparisons = comparisonsIn(conditions);
  if (isSelective(table, comparisons)) return true;
  // An index leads to the rows in their order, but perhaps to many that other conditions leave out.
  if (comparisons.length < conditions.length) return false;
  const fixed = fixedBy(table, query);
  const ranges = comparisons.filter(({ property }) => !fixed.has(property));
  const keys = order.filter(({ property }) => !fixed.has(property));
  const isRange = ({ operator, property }: Comparison): boolean =>
    operator !== 'contains' && operator !== 'in' && operator !== 'eq' && property === keys[0]?.property;
  if (!ranges.every(isRange) || keys.some(({ direction }) => direction !== keys[0]!.direction)) return false;
  const sorted = keys.map(({ property }) => property);
  return orderedKeys(table).some((index) => isServedBy(index, fixed, sorted));
}

/**
 * The comparisons by which an index leads to rows in the order of the page, if others than comparisons decide about them,
 * too: as many comparisons as there is an index for.
 */
export function leadingAhead(table: Table, query: RowQuery): ReadonlySet<Condition> | undefined {
  const comparisons = comparisonsIn(query.conditions);
  const isSearch = ({ operator }: Comparison): boolean => operator === 'search';
  if (comparisons.length === query.conditions.length || comparisons.some(isSearch)) return undefined;
  const equal = comparisons.filter(({ operator }) => operator === 'eq');
  const leading = [comparisons, equal, equal.slice(0, 1), []].find((conditions) => {
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
  if (isSelective(table, comparisons)) return true;
  if (most > FEW || comparisons.length < conditions.length) return false;
  // Nothing is sorted, so that an index finds the rows of several values as it does those of one.
  const single = comparisons.map((one): Comparison => (one.operator === 'in' ? { ...one, operator: 'eq' } : one));
  const query = { resource: table.descriptor.key, conditions: single, limit: most };
  const first = new Set(['id', ...comparisons.map(({ property }) => property)]);
  return [...first].some((property) => isPageBounded(table, { ...query, order: [{ property, direction: 'asc' }] }));
}

/** Each value of an id, or of what refers to one, stands for a small part of the rows; so does a unique key. */
function isSelective({ descriptor }: Table, conditions: readonly Comparison[]): boolean {
  if (conditions.some((condition) => condition.operator === 'in' && width(condition) === 0)) return true;
  const given = new Set(conditions.filter(isGiven).map(({ property }) => property));
  const ids = descriptor.properties.filter(({ name, references }) => name === 'id' || references !== undefined);
  const keys = [
    ...ids.map(({ name }) => [name]),
    ...(descriptor.owner ? [[descriptor.owner.property]] : []),
    ...descriptor.unique,
  ];
  return keys.some((key) => key.every((property) => given.has(property)));
}

const isGiven = (condition: Comparison): boolean =>
  (condition.operator === 'eq' || condition.operator === 'in') && width(condition) > 0;

/** Properties with one value on the whole page, or on each of the branches that the query is split into. */
function fixedBy(table: Table, query: RowQuery): ReadonlySet<string> {
  const divided = dividedBy(table, query);
  const fixed = comparisonsIn(query.conditions).filter(
    (condition) => condition.operator === 'eq' || condition === divided,
  );
  return new Set(fixed.map(({ property }) => property));
}

/** The properties of each index, in order, and of the primary key. */
function orderedKeys(table: Table): readonly (readonly string[])[] {
  const property = new Map(table.columns.map(({ column, name }) => [column, name]));
  const indexes = indexesOf(table).map(({ columns }) => columns.map((column) => property.get(column)!));
  return [['id'], ...indexes];
}

function isServedBy(index: readonly string[], fixed: ReadonlySet<string>, sorted: readonly string[]): boolean {
  const prefix = index.slice(0, fixed.size);
  if (prefix.length < fixed.size || !prefix.every((property) => fixed.has(property))) return false;
  return sorted.every((property, i) => index[fixed.size + i] === property);
}
