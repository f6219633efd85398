import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Difference, RowTest, Step } from '../../../descriptor/migration/step.ts';
import type { MigrationTarget } from './target.ts';

/** Rows that a change meets: their number, some of them, and a query for all of them. */
interface Met {
  readonly count: number;
  /** `3 rows have no value (ids a, b, …)`; with its number. */
  readonly what: string;
  readonly query: string;
}

const NAMED = 3;

/** The steps whose rows do not allow them, as differences. */
export async function refusedSteps(
  target: MigrationTarget,
  steps: readonly Step[],
  live: ReadonlyMap<string, LiveTable>,
): Promise<Difference[]> {
  const refused: Difference[] = [];
  for (const { what, fails } of steps) {
    if (!fails || !isTestable(fails, live)) continue;
    const met = await test(target, fails);
    if (met.count > 0) refused.push({ what: `${what}: ${met.what}`, byHand: [met.query], isHarmless: false });
  }
  return refused;
}

/** The differences with the rows that they are about; without rows, they do no harm. */
export async function withRows(target: MigrationTarget, differences: readonly Difference[]): Promise<Difference[]> {
  const judged: Difference[] = [];
  for (const difference of differences) {
    if (!difference.rows) judged.push(difference);
    else {
      const met = await test(target, difference.rows);
      judged.push(
        met.count === 0
          ? { ...difference, isHarmless: difference.rows.kind !== 'filled' || difference.rows.isHarmless }
          : { ...difference, what: `${difference.what}: ${met.what}` },
      );
    }
  }
  return judged;
}

/** Columns that are yet to be added have no rows to look at. */
function isTestable(rows: RowTest, live: ReadonlyMap<string, LiveTable>): boolean {
  const columns = rows.kind === 'equal' ? rows.columns : [rows.column];
  const known = live.get(rows.table)?.columns;
  if (rows.kind === 'orphaned' && !live.has(rows.target)) return false;
  return known !== undefined && columns.every((column) => known.has(column));
}

async function test(target: MigrationTarget, rows: RowTest): Promise<Met> {
  const { quote } = target.dialect;
  const table = quote(rows.table);
  switch (rows.kind) {
    case 'empty': {
      const where = `${quote(rows.column)} is null`;
      return met(target, table, where, (count) => (count === 1 ? 'row has no value' : 'rows have no value'));
    }
    case 'filled': {
      const where = `${quote(rows.column)} is not null`;
      return met(target, table, where, (count) => (count === 1 ? 'row has a value' : 'rows have values'));
    }
    case 'orphaned': {
      const column = `${table}.${quote(rows.column)}`;
      const { tenants } = rows;
      const same = tenants ? ` and target.${quote(tenants.target)} = ${table}.${quote(tenants.own)}` : '';
      const others = `select 1 from ${quote(rows.target)} as target where target.${quote('id')} = ${column}${same}`;
      const where = `${column} is not null and not exists (${others})`;
      const refer = `to a row of ${rows.target} that does not exist`;
      return met(target, table, where, (count) => `${count === 1 ? 'row refers' : 'rows refer'} ${refer}`);
    }
    case 'equal': {
      const columns = rows.columns.map(quote);
      const filled = columns.map((column) => `${column} is not null`).join(' and ');
      const groups = `select ${columns.join(', ')} from ${table} where ${filled} group by ${columns.join(', ')} having count(*) > 1`;
      const same = columns.map((column) => `twin.${column} = ${table}.${column}`).join(' and ');
      const where = `exists (select 1 from (${groups}) as twin where ${same})`;
      return met(target, table, where, () => 'rows have the same values as others', columns);
    }
  }
}

async function met(
  { run, dialect }: MigrationTarget,
  table: string,
  where: string,
  say: (count: number) => string,
  order: readonly string[] = [],
): Promise<Met> {
  const [[total] = []] = await run(`select count(*) from ${table} where ${where}`);
  const count = Number(total);
  const id = dialect.quote('id');
  const sorted = [...order, id].map((column) => `${table}.${column}`).join(', ');
  const ids =
    count === 0 ? [] : await run(`select ${id} from ${table} where ${where} order by ${sorted} limit ${NAMED}`);
  const more = count > ids.length ? ', …' : '';
  const named = `(${ids.length === 1 ? 'id' : 'ids'} ${ids.map(([one]) => one).join(', ')}${more})`;
  return {
    count,
    what: `${count.toLocaleString('en')} ${say(count)} ${named}`,
    query: `select * from ${table} where ${where}`,
  };
}
