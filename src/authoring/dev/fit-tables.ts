import { DatabaseSync } from 'node:sqlite';
import { lookUp } from '../../descriptor/look-up.ts';
import { layoutIn } from '../../descriptor/migration/layout-in.ts';
import { planColumns } from '../../descriptor/migration/plan-columns.ts';
import { isRequired } from '../../descriptor/migration/references.ts';
import type { LiveTable } from '../../descriptor/migration/schema-dialect.ts';
import type { Step } from '../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { type Table, tablesOf } from '../../descriptor/table.ts';
import type { DatabaseLocation } from '../../runtime/storage/index.ts';
import { type MigrationTarget, recordedContracts } from '../../runtime/storage/migration/index.ts';
import { lockedPostgres } from '../../runtime/storage/postgres/index.ts';
import { BUSY_TIMEOUT_MS, partsOf, readSqlite, sqliteSchema } from '../../runtime/storage/sqlite/index.ts';

/** A table in a shape that the contract cannot be served with. */
interface Unfit {
  readonly table: Table;
  readonly live: LiveTable;
  readonly tables: readonly Table[];
  /** What alters it on Postgres. */
  readonly step: Step;
}

/**
 * Gives tables the shape that the contract needs, where no row stands against it, and returns their names. Every row stays,
 * with the values of columns that the contract no longer has. `isOwn`: else, only tables that Lockstep has served are changed.
 */
export async function fitTables(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  isOwn: boolean,
): Promise<readonly string[]> {
  const look = async (target: MigrationTarget): Promise<readonly Unfit[]> => {
    const live = await target.liveTables();
    const tables = tablesOf(resources, layoutIn(resources, live));
    const served = (await recordedContracts(target.run, live)).at(-1)?.shapes?.tables ?? {};
    const known = tables.filter(({ name }) => live.has(name) && (isOwn || name in served));
    return (await Promise.all(known.map((one) => unfit(target, one, lookUp(live, one.name), tables)))).flat();
  };
  const isSqlite = location.kind === 'sqlite';
  const found = await (isSqlite ? readSqlite(location.file, look, false) : lockedPostgres(location.url, look));
  const fitted: string[] = [];
  for (const one of found)
    try {
      if (isSqlite) rebuild(location.file, one);
      else await lockedPostgres(location.url, async ({ make }) => make([one.step], () => {}));
      fitted.push(one.table.name);
    } catch {
      // What stands against it is reported when the server starts.
    }
  return fitted;
}

/** Empty for a table that fits, and for one whose rows would lose a value. */
async function unfit(
  { dialect, run }: MigrationTarget,
  table: Table,
  live: LiveTable,
  tables: readonly Table[],
): Promise<Unfit[]> {
  const { differences } = planColumns({
    dialect,
    table,
    existing: live,
    tables,
    rowsFit: () => false,
    notRenamed: new Set(),
  });
  const proposed = differences.flatMap(({ byHand, isHarmless, rows }) => (isHarmless || rows ? [] : byHand));
  if (proposed.length === 0) return [];
  // Integers become numbers, and no value anything else. Whether a column was renamed, a person has to say.
  const losses = table.columns.flatMap((property) => {
    const [type, was] = [dialect.typeOf(property), live.columns.get(property.column)?.type];
    if (was === undefined || was === type) return [];
    const column = dialect.quote(property.column);
    const isWidened = property.type === 'number' && was.includes('int');
    return isWidened ? `abs(${column}) > ${Number.MAX_SAFE_INTEGER}` : `${column} is not null`;
  });
  const against = [proposed.some((sql) => / rename column (?!\S+__made")/.test(sql)), ...losses].join(' or ');
  const rows = await run(`select 1 from ${dialect.quote(table.name)} where ${against} limit 1`);
  return rows.length === 0 ? [{ table, live, tables, step: alteration(table, proposed) }] : [];
}

/** What is proposed, but that no row gets a value. */
const alteration = ({ name }: Table, proposed: readonly string[]): Step => ({
  what: `fit ${name}`,
  sql: [...new Set(proposed)].filter((sql) => !/^(?:update|-- or,) /.test(sql)).join('; '),
  lock: { mode: 'access exclusive', tables: [name] },
});

/** SQLite cannot alter a column (https://www.sqlite.org/lang_altertable.html, 7). Throws where a row stands against it. */
function rebuild(file: string, { table, tables, live: { columns: live, indexes } }: Unfit): void {
  const { quote, createTable } = sqliteSchema;
  const [name, from, to] = [`${table.name}__made`, quote(table.name), quote(`${table.name}__made`)];
  // The migration adds what rows may lack, and makes indexes of texts anew whose triggers are gone.
  const columns = table.columns.filter((one) => live.has(one.column) || (isRequired(one) && one.initial === undefined));
  const extra = [...live].filter(([other]) => columns.every(({ column }) => column !== other));
  const triggers = new Set([...indexes.keys()].flatMap((index): readonly string[] => partsOf(index).triggers));
  const names = [...live.keys()].map(quote).join(', ');
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('pragma legacy_alter_table = on; begin immediate');
    const parts = "select name, sql from sqlite_schema where tbl_name = ? and type <> 'table' and sql is not null";
    const kept = database.prepare(parts).all(table.name);
    database.exec(createTable({ ...table, name, columns }, tables));
    for (const [other, { type }] of extra) database.exec(`alter table ${to} add column ${quote(other)} ${type}`);
    database.exec(`insert into ${to} (${names}) select ${names} from ${from}`);
    database.exec(`drop table ${from}; alter table ${to} rename to ${from}`);
    for (const part of kept) if (!triggers.has(String(part['name']))) database.exec(String(part['sql']));
    if (database.prepare(`pragma foreign_key_check(${from})`).get()) throw new Error('rows refer to nothing');
    database.exec('commit');
  } finally {
    database.close();
  }
}
