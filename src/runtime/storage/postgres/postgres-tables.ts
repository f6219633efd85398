import { lookUp } from '../../../descriptor/look-up.ts';
import { partOf, type Table } from '../../../descriptor/table.ts';
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
      return [
        key,
        {
          statements,
          decode: createDecoder(table.stored),
          uniques: new Map(uniquesOf(table)),
        },
      ];
    }),
  );
}

/** Each partition has an index for each of those of its table. */
function uniquesOf({
  name: table,
  indexes,
  partitions,
  columns,
}: Table): [name: string, properties: readonly string[]][] {
  const isShown = (property: string): boolean => columns.some(({ name }) => name === property);
  const unique = indexes.filter(({ isUnique }) => isUnique);
  return [
    ...[table, ...partitions].map((name): [string, string[]] => [`${name}_pkey`, ['id']]),
    ...unique.flatMap(({ name, properties }) =>
      [name, ...partitions.map((_, i) => partOf(name, i))].map((one): [string, string[]] => [
        one,
        properties.filter(isShown),
      ]),
    ),
  ];
}
