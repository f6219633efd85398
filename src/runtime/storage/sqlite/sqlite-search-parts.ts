import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { Search, WordSearch } from '../../../descriptor/searches.ts';

/** The parts of a search index, each made by one statement. */
export const partsOf = (name: string) => ({
  rows: `${name}_row`,
  triggers: [`${name}_insert`, `${name}_update`, `${name}_delete`] as const,
});

/** Selects 1 where all parts of a search index are there, else 0. */
export function wholeness(table: string, name: string): string {
  const { rows, triggers } = partsOf(name);
  const list = (names: readonly string[]) => names.map(quotedText).join(', ');
  return `select count(*) = 5 as whole from sqlite_schema where (type = 'table' and name in (${list([name, rows])}))
    or (type = 'trigger' and tbl_name = ${list([table])} and name in (${list(triggers)}))`;
}

/** The rows of a search index whose text may contain the placeholder's, which has three characters or more. */
export const matches = ({ name }: Search, slot: number): RawBuilder<unknown> =>
  sql`select rowid from ${sql.table(name)} where ${sql.ref(name)} match '"' || replace(${sql.val(slot)}, '"', '""') || '"'`;

/** Whether a row is among those. */
export const isMatch = (search: Search, slot: number): RawBuilder<SqlBool> =>
  sql`id in (select id from ${sql.table(partsOf(search.name).rows)} where n in (${matches(search, slot)}))`;

/** Whether a row has what the placeholder's query of FTS5 asks for. */
export const hasWords = ({ name }: WordSearch, slot: number): RawBuilder<SqlBool> =>
  sql`id in (select id from ${sql.table(partsOf(name).rows)} where n in (select rowid from ${sql.table(name)} where ${sql.ref(name)} match ${sql.val(slot)}))`;
