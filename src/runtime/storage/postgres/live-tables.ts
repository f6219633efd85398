import type { LiveColumn, LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import { WORDS_SUFFIX } from '../../../descriptor/searches.ts';
import type { Query } from './answer.ts';
import { given } from './values.ts';

/** But for those of words, which belong to their indexes. */
const COLUMNS = `
  select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef, k.conname,
         case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'r' then 'restrict'
                            when 'd' then 'set default' when 'a' then 'no action' end,
         pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null, k.convalidated,
         a.attgenerated <> '' or a.attidentity = 'a', cardinality(p.conkey) = 2,
         case c.relkind when 'p' then (select count(*) from pg_inherits where inhparent = c.oid) end
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
  left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0
    and (k.conkey = array[a.attnum] or cardinality(p.conkey) = 2 and k.conkey = array[p.conkey[1], a.attnum])
  where a.attnum > 0 and not a.attisdropped and not c.relispartition
    and not (a.atttypid = 'tsvector'::regtype and right(a.attname, ${WORDS_SUFFIX.length}) = '${WORDS_SUFFIX}')
  order by c.relname, a.attnum`;

/** An index of words is valid with the trigger that keeps them, whose function names the columns as they are called now. */
const INDEXES = `
  select t.relname, i.relname, x.indisvalid and (right(i.relname, ${WORDS_SUFFIX.length}) <> '${WORDS_SUFFIX}' or exists (
    select from pg_attribute a where a.attrelid = t.oid and a.attname = i.relname and a.attgenerated = 's') or exists (
    select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
    where g.tgrelid = t.oid and g.tgname = i.relname and g.tgenabled in ('O', 'A') and not exists (
      select from regexp_matches(p.prosrc, 'coalesce[(]new[.]"((?:[^"]|"")+)"', 'g') as used
      where not exists (select from pg_attribute a
        where a.attrelid = t.oid and not a.attisdropped and a.attname = replace(used[1], '""', '"')))))
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid and t.relnamespace = current_schema()::regnamespace
  where not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))`;

/** Those that Citus has on other nodes; none without it. */
async function distributedTables(query: Query): Promise<ReadonlySet<string>> {
  const [[isThere] = []] = (await query("select to_regclass('pg_dist_partition') is not null")).rows;
  if (isThere !== 't') return new Set();
  const { rows } = await query('select c.relname from pg_dist_partition join pg_class c on c.oid = logicalrel');
  return new Set(rows.map(([name]) => given(name)));
}

interface FoundTable extends LiveTable {
  readonly columns: Map<string, LiveColumn>;
  readonly indexes: Map<string, { readonly isValid: boolean }>;
}

/** The tables that the database has now. */
export async function liveTables(query: Query): Promise<Map<string, LiveTable>> {
  const tables = new Map<string, FoundTable>();
  const distributed = await distributedTables(query);
  for (const row of (await query(COLUMNS)).rows) {
    const [table, name, type, isRequired, hasDefault, constraint, onDelete, isCounted, isValid, isComputed] = row;
    const [isKeyedByTenant, partitions] = row.slice(10);
    const live = tables.get(given(table)) ?? {
      columns: new Map(),
      indexes: new Map(),
      ...(isKeyedByTenant === 't' && { isKeyedByTenant: true }),
      ...(partitions && { partitions: Number(partitions) }),
      ...(distributed.has(given(table)) && { isDistributed: true }),
    };
    tables.set(given(table), live);
    live.columns.set(given(name), {
      type: given(type),
      isRequired: isRequired === 't',
      hasDefault: hasDefault === 't',
      ...(isCounted === 't' && { isCounted: true }),
      ...(isComputed === 't' && { isComputed: true }),
      ...(constraint && { constraint, onDelete: given(onDelete) }),
      ...(isValid === 'f' && { isUnvalidated: true }),
    });
  }
  for (const [table, name, isValid] of (await query(INDEXES)).rows)
    tables.get(given(table))?.indexes.set(given(name), { isValid: isValid === 't' });
  return tables;
}
