import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Table } from '../../../descriptor/table.ts';
import type { Condition } from '../store.ts';
import { type TestContext, tenantTest, tests } from './conditions.ts';
import { rowsHavingAny } from './led-rows.ts';
import { leadsIn } from './reach.ts';
import { width, widthOf } from './shapes.ts';
import { compiledBy, type ReadStatement, type Statement } from './statement.ts';

/** Reads by the rows that a comparison leads to, on each of which all conditions are tested. */
export function narrowed(
  context: TestContext,
  table: Table,
  conditions: readonly Condition[],
  read: (rows: RawBuilder<unknown>, where: readonly RawBuilder<SqlBool>[]) => Statement,
): ReadStatement['narrow'] {
  const leads = leadsIn(context.tableOf, table, conditions);
  if (leads.length === 0) return undefined;
  const where = tests(context, table, conditions, 0, 'given');
  const within = table.tenant && tenantTest(context, table, conditions, 0);
  return leads.map((lead) => {
    const first = widthOf(conditions.slice(0, conditions.indexOf(lead)));
    const values = Array.from({ length: width(lead) }, (_, i) => sql.val(first + i));
    const { rows, count } = rowsHavingAny(table, lead.property, values, within);
    return { probe: compiledBy(context.dialect.builder, count), statement: read(rows, where) };
  });
}
