import { lookUp } from '../../../descriptor/look-up.ts';
import type { Table } from '../../../descriptor/table.ts';
import { type Clauses, TableStatements } from '../statements/table-statements.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { PostgresTable, PostgresTables } from './postgres-reader.ts';
import { createDecoder } from './values.ts';

/**
 * The tables of resources, with their statements, by the keys of the resources. `clausesOf`: what statements of a table
 * end with.
 */
export function postgresTables(all: readonly Table[], clausesOf?: (table: Table) => Clauses): PostgresTables {
  const tables = new Map(all.map((table) => [table.descriptor.key, table]));
  const named = (key: string): Table => lookUp(tables, key);
  return new Map(
    [...tables].map(([key, table]): [string, PostgresTable] => {
      const statements = new TableStatements(postgresDialect, table, clausesOf?.(table), named);
      const uniques = table.indexes
        .filter(({ isUnique }) => isUnique)
        .map(({ name, properties }) => [name, properties] as const);
      return [
        key,
        {
          statements,
          decode: createDecoder(table.columns),
          uniques: new Map([...uniques, [`${table.name}_pkey`, ['id']]]),
        },
      ];
    }),
  );
}
