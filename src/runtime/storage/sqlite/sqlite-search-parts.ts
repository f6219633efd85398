import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { Search, WordSearch } from '../../../descriptor/searches.ts';

/** The parts of a search index, each made by one statement; `filled` is there while rows are yet to be added. */
export const partsOf = (name: string) => ({
  rows: `${name}_row`,
  filled: `${name}_filled_row`,
  triggers: [`${name}_insert`, `${name}_update`, `${name}_delete`] as const,
});

/** Selects 1 where all parts of a search index are there, with all rows, else 0; then the same with rows yet to be added. */
export function wholeness(table: string, name: string): string {
  const { rows, triggers, filled } = partsOf(name);
  const list = (names: readonly string[]) => names.map(quotedText).join(', ');
  return `select count(*) = 5 and count(mark) = 0 as whole, count(*) = 6 as filling from (
    select iif(name = ${list([filled])}, 1, null) as mark from sqlite_schema
    where (type = 'table' and name in (${list([name, rows, filled])}))
    or (type = 'trigger' and tbl_name = ${list([table])} and name in (${list(triggers)})))`;
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
