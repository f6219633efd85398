import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Comparison, Condition, Relation } from '../store.ts';
import { relationOf, valueIn } from './columns.ts';
import { comparisonTest } from './comparisons.ts';
import { width, widthOf } from './shapes.ts';

type Test = RawBuilder<SqlBool>;

/** What tests need beside the table whose rows they are on. */
export interface TestContext {
  readonly dialect: SqlDialect;
  /** The table of a resource, by its key. */
  readonly tableOf: (resource: string) => Table;
}

/**
 * How many rows tests are on. `given`: those that the statement is given; `few`: those that another condition leaves; `many`:
 * any part of the table.
 */
export type Tested = 'given' | 'few' | 'many';

/** The rows that a test is on: of a table, under the name that it has in the statement. */
interface Scope {
  readonly table: Table;
  readonly name: string;
  /** How many relations lead to it. */
  readonly depth: number;
  readonly tested: Tested;
}

/** Whether rows of other tables decide, of which there may be many that are the same for all callers. */
export const isBroad = (condition: Condition): boolean =>
  condition.kind === 'related'
    ? condition.isBroad === true
    : (condition.kind === 'all' || condition.kind === 'any') && condition.conditions.some(isBroad);

/** Comparisons alone: those that indexes can serve. */
export const comparisonsIn = (conditions: readonly Condition[]): readonly Comparison[] =>
  conditions.filter((condition) => condition.kind === undefined);

/**
 * One SQL test per condition; placeholders are numbered from `firstSlot`. Whether `few` or `many` rows are tested, some of
 * the conditions see to if it is left out.
 */
export function tests(
  context: TestContext,
  table: Table,
  conditions: readonly Condition[],
  firstSlot: number,
  tested: Tested = conditions.some((condition) => narrows(table, condition)) ? 'few' : 'many',
): readonly Test[] {
  let slot = firstSlot;
  return conditions.map((condition) => {
    const first = slot;
    slot += width(condition);
    if (condition.kind !== undefined)
      return testIn(context, { table, name: table.name, depth: 0, tested }, condition, first);
    if (condition.operator === 'search') return context.dialect.hasWords(table.wordSearch!, first);
    return comparisonTest(context.dialect, columnOf(table, condition.property), condition, first);
  });
}

/** Whether few rows of the table meet the condition: those of a parent, or that refer to one row. */
function narrows(table: Table, condition: Condition): boolean {
  if (condition.kind !== undefined || condition.operator !== 'eq') return false;
  const { name, origin, references } = columnOf(table, condition.property);
  return name === 'id' || origin === 'parent' || references !== undefined;
}

function testIn(context: TestContext, scope: Scope, condition: Condition, slot: number): Test {
  switch (condition.kind) {
    case undefined:
      return comparisonIn(context, scope, condition, slot);
    case 'not':
      // Two-valued: a comparison with NULL does not hold, and so its negation does.
      return sql`(${comparisonIn(context, scope, condition.comparison, slot)}) is not true`;
    case 'related':
      return relationIn(context, scope, condition, slot);
    default:
      return combined(condition.kind, testsIn(context, scope, condition.conditions, slot));
  }
}

function testsIn(context: TestContext, scope: Scope, conditions: readonly Condition[], firstSlot: number): Test[] {
  let slot = firstSlot;
  return conditions.map((condition) => {
    const first = slot;
    slot += width(condition);
    return testIn(context, scope, condition, first);
  });
}

/** In a subquery, a column without its table is that of the inner one. */
function comparisonIn({ dialect }: TestContext, scope: Scope, comparison: Comparison, slot: number): Test {
  const property = columnOf(scope.table, comparison.property);
  return comparisonTest(dialect, { ...property, of: scope.name }, comparison, slot);
}

function relationIn(context: TestContext, scope: Scope, relation: Relation, slot: number): Test {
  const table = context.tableOf(relation.resource);
  const depth = scope.depth + 1;
  // No table has this name: tables are named in snake_case, without a trailing underscore.
  const name = `related_${depth}_`;
  const column = valueIn({ ...columnOf(table, relation.relatedProperty), of: name });
  const own = valueIn({ ...columnOf(scope.table, relation.property), of: scope.name });
  const inner = testsIn(context, { ...scope, table, name, depth }, relation.conditions, slot);
  const rows = sql`from ${relationOf(table)} as ${sql.id(name)}`;
  // For few rows, each is looked up; for many, those that are related are listed once. Rules that no list asks have no index
  // for that: all related rows would be read for a row that is given.
  const isLookedUp = scope.tested === 'given' || (scope.tested === 'few' && relation.isBroad);
  if (context.dialect.hasLists && !isLookedUp) {
    const where = inner.length > 0 ? sql` where ${sql.join(inner, sql` and `)}` : sql``;
    const isIn = sql<SqlBool>`${own} in (select ${column} ${rows}${where})`;
    return relation.isNone ? sql`(${isIn}) is not true` : isIn;
  }
  // With an offset, Postgres looks up each row, too, where it would list the related ones.
  const each = !context.dialect.hasLists && scope.tested !== 'many' && relation.isBroad ? sql` offset 0` : sql``;
  const where = sql.join(
    [...(table.tenant ? sameTenant(scope, relation, table, name) : []), sql`${column} = ${own}`, ...inner],
    sql` and `,
  );
  const exists = sql<SqlBool>`exists (select 1 ${rows} where ${where}${each})`;
  return relation.isNone ? sql`not ${exists}` : exists;
}

/** Rows of tenants are related to those of the same tenant, which the conditions name for a caller of one. */
function sameTenant(scope: Scope, { conditions }: Relation, { tenant }: Table, name: string): Test[] {
  const own = scope.table.tenant;
  if (!tenant || !own || tenantIn(tenant.name, conditions)) return [];
  return [sql`${valueIn({ ...tenant, of: name })} = ${valueIn({ ...own, of: scope.name })}`];
}

/** The comparison that names the tenant, which all indexes of the rows of tenants begin with. */
export const tenantIn = (property: string | undefined, conditions: readonly Condition[]): Comparison | undefined =>
  comparisonsIn(conditions).find((one) => one.operator === 'eq' && one.property === property);

/** The test of that comparison, of a table whose keys begin with the tenant. */
export function tenantTest(
  { dialect }: TestContext,
  { tenant }: Table,
  conditions: readonly Condition[],
  firstSlot: number,
) {
  const condition = tenant && tenantIn(tenant.name, conditions);
  if (!condition) return undefined;
  return dialect.equals(tenant, firstSlot + widthOf(conditions.slice(0, conditions.indexOf(condition))));
}

function combined(kind: 'all' | 'any', parts: readonly Test[]): Test {
  if (parts.length === 0) return kind === 'all' ? sql`1 = 1` : sql`1 = 0`;
  return sql`(${sql.join([...parts], kind === 'all' ? sql` and ` : sql` or `)})`;
}
