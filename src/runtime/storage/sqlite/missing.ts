import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';

/** SQLite spells these errors alone (https://www.sqlite.org/rescode.html#error). A trigger names tables with their schema. */
const MISSING =
  /^no such table: (\w+)$|^(?:no such column: (?:(?!new\.|old\.)\w+\.)?|table \w+ has no column named )"?(\w+)(?:"|$)/i;

/**
 * The `StoreError` of a statement whose own table or column is not in the database; undefined for any other error, such as
 * that of a trigger that lacks one.
 */
export function missingIn(database: DatabaseSync, sql: string, error: unknown): StoreError | undefined {
  const [, table, column] = MISSING.exec(error instanceof Error ? error.message : '') ?? [];
  const names = (name: string): boolean => sql.includes(`"${name}"`);
  if (table !== undefined) return names(table) ? missing(`table ${table}`, error) : undefined;
  if (column === undefined || !names(column)) return undefined;
  const columns = database.prepare('select 1 from pragma_table_xinfo(?) where name = ?');
  const isThere = [...sql.matchAll(/"(\w+)"/g)].some(([, name]) => columns.get(String(name), column) !== undefined);
  return isThere ? undefined : missing(`column ${column}`, error);
}

const missing = (what: string, error: unknown): StoreError => new StoreError({ kind: 'missing', what }, error);
