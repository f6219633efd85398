import { ConfigError } from '../../../descriptor/config-error.ts';
import type { RowShapes } from '../../../descriptor/migration/row-shapes.ts';
import type { LiveTable, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { HandWritten } from './hand-written.ts';
import { ForeignTableError } from './migration-error.ts';
import type { RunSql } from './records.ts';

/**
 * Throws `ForeignTableError` for tables that have the name of a resource's, and lack columns that each table of Lockstep
 * has. `recorded`: of the contract that the database belongs to, whose tables have at least ids. Files that are yet to run
 * and name such a table may change that.
 */
export function refuseForeignTables(
  { typeOf }: SchemaDialect,
  resources: readonly ResourceDescriptor[],
  live: ReadonlyMap<string, LiveTable>,
  recorded: RowShapes | undefined,
  pending: readonly HandWritten[],
): void {
  const foreign = resources.flatMap(({ table, properties }) => {
    const columns = live.get(table)?.columns;
    if (!columns || pending.some(({ statements }) => statements.some(({ sql }) => sql.includes(table)))) return [];
    const lacks = properties.filter((property) => columns.get(property.column)?.type !== typeOf(property));
    const isOurs = recorded?.tables[table]
      ? columns.has('id')
      : lacks.every(({ name, origin }) => origin !== 'managed' && name !== 'id');
    if (isOurs) return [];
    const said = lacks.map((property) => {
      const is = columns.get(property.column)?.type;
      return `${property.column} ${typeOf(property)}${is === undefined ? '' : `, which is ${is}`}`;
    });
    return [`${table} lacks ${said.join('; ')}`];
  });
  if (foreign.length > 0) throw new ForeignTableError(foreign);
}

/** Throws `ConfigError` for mapped tables that the contract which the database belongs to has as tables of Lockstep. */
export async function refuseOwnTables(
  run: RunSql,
  mapped: readonly ResourceDescriptor[] = [],
  recorded: RowShapes | undefined,
): Promise<void> {
  const named = mapped.flatMap(({ mapped: table }) => (table && recorded?.tables[table.name] ? [table] : []));
  if (named.length === 0) return;
  const [[schema] = []] = await run('select current_schema()');
  const own = named.filter((one) => one.schema === schema);
  if (own.length > 0)
    throw new ConfigError(
      own.map(
        ({ name }) => `x-table maps ${name}, which is a table of Lockstep. Write its name alone: \`x-table: ${name}\`.`,
      ),
    );
}
