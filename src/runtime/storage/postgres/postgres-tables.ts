import { lookUp } from '../../../descriptor/look-up.ts';
import type { Table } from '../../../descriptor/table.ts';
import { ColumnStatements } from '../statements/column-statements.ts';
import { type Clauses, ShapedStatements, TableStatements } from '../statements/table-statements.ts';
import type { MappedParts } from './mapped-table.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { PostgresTable, PostgresTables } from './postgres-reader.ts';
import { createDecoder } from './values.ts';

/**
 * The tables of resources, with their statements, by the keys of the resources. `clausesOf`: what statements of a table
 * end with. `mapped`: of tables of others.
 */
export function postgresTables(
  all: readonly Table[],
  clausesOf?: (table: Table) => Clauses,
  mapped?: ReadonlyMap<Table, MappedParts>,
): PostgresTables {
  const tables = new Map(all.map((table) => [table.descriptor.key, table]));
  const named = (key: string): Table => lookUp(tables, key);
  const context = { dialect: postgresDialect, tableOf: named };
  return new Map(
    [...tables].map(([key, table]): [string, PostgresTable] => {
      const own = mapped?.get(table);
      const statements = new TableStatements(postgresDialect, table, clausesOf?.(table), named);
      return [
        key,
        {
          statements,
          decode: own?.decode ?? createDecoder(table.stored),
          ...(own && { mapped: { ...own, statements: new ColumnStatements(context, table) } }),
          uniques: table.uniqueNames,
          withEvents: new ShapedStatements(),
        },
      ];
    }),
  );
}
