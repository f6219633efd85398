import { lookUp } from '../../../descriptor/look-up.ts';
import type { Table } from '../../../descriptor/table.ts';
import { type Clauses, TableStatements } from '../statements/table-statements.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { PostgresTable, PostgresTables } from './postgres-reader.ts';
import { createDecoder } from './values.ts';

/**
 * The tables of resources, with their statements, by the keys of the resources. `clausesOf`: what statements of a table
 * end with. `decoders`: of tables of others.
 */
export function postgresTables(
  all: readonly Table[],
  clausesOf?: (table: Table) => Clauses,
  decoders?: ReadonlyMap<Table, PostgresTable['decode']>,
): PostgresTables {
  const tables = new Map(all.map((table) => [table.descriptor.key, table]));
  const named = (key: string): Table => lookUp(tables, key);
  return new Map(
    [...tables].map(([key, table]): [string, PostgresTable] => {
      const statements = new TableStatements(postgresDialect, table, clausesOf?.(table), named);
      return [
        key,
        {
          statements,
          decode: decoders?.get(table) ?? createDecoder(table.stored),
          uniques: table.uniqueNames,
        },
      ];
    }),
  );
}
