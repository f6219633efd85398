import {
  keyOfTable,
  type LiveColumn,
  type LiveRelation,
  liveRelations,
  type Query,
} from '../../runtime/storage/postgres/index.ts';
import { type ColumnType, columnType } from './column-type.ts';

/** A table or a view of a database. */
export interface Relation extends Pick<LiveRelation, 'indexes' | 'foreignKeys' | 'hasRowSecurity'> {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly isForeign: boolean;
  readonly isPartition: boolean;
  /** Other tables inherit from it. */
  readonly hasHeirs: boolean;
  readonly comment: string | undefined;
  readonly columns: readonly Column[];
  /** The columns of its primary key; none of a view. */
  readonly key: readonly string[];
  readonly checks: readonly Check[];
  /** The query of a view. */
  readonly query: string | undefined;
}

export interface Column {
  readonly name: string;
  /** The name of a type without a counterpart. */
  readonly type: ColumnType | string;
  readonly isRequired: boolean;
  readonly comment: string | undefined;
  readonly isReadable: boolean;
  /** Of the domains that it is of. */
  readonly checks: readonly Check[];
}

export interface Check {
  readonly name: string;
  readonly sql: string;
}

export interface Catalogue {
  readonly database: string;
  readonly relations: readonly Relation[];
  /** The names of functions that return sets of rows, or one for many. */
  readonly rowChangers: ReadonlySet<string>;
}

/** What of a relation matters here alone; columns are in their order. */
interface Details extends Pick<Relation, 'isForeign' | 'isPartition' | 'hasHeirs' | 'checks'> {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  readonly query: string | null;
  readonly columns: readonly ColumnDetails[];
}

interface ColumnDetails extends Pick<Column, 'checks'> {
  readonly comment: string | null;
  readonly dimensions: number;
  /** Texts that differ may be equal by its collation. */
  readonly isLoose: boolean;
}

/** What is not validated holds for new rows alone. */
const checksWhere = (place: string): string =>
  `(select coalesce(json_agg(json_build_object('name', k.conname, 'sql', pg_get_expr(k.conbin, k.conrelid)) order by k.conname), '[]')
    from pg_constraint k where ${place} and k.contype = 'c' and k.convalidated
      and coalesce(to_jsonb(k) ->> 'conenforced', 'true') = 'true')`;

const COLUMNS = `(select coalesce(json_agg(json_build_object(
    'comment', col_description(c.oid, a.attnum), 'dimensions', a.attndims,
    'isLoose', exists (select from pg_collation l where l.oid = a.attcollation and not l.collisdeterministic),
    'checks', (
      with recursive domains as (
        select t.oid, t.typbasetype from pg_type t where t.oid = a.atttypid
        union all select t.oid, t.typbasetype from pg_type t join domains d on t.oid = d.typbasetype)
      select ${checksWhere('k.contypid in (select oid from domains)')})) order by a.attnum), '[]')
  from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

/** All schemas but those of Postgres, without what belongs to extensions. */
const DETAILS = `select json_build_object(
    'schema', n.nspname, 'name', c.relname, 'comment', obj_description(c.oid, 'pg_class'), 'columns', ${COLUMNS},
    'checks', ${checksWhere('k.conrelid = c.oid')}, 'isForeign', c.relkind = 'f', 'isPartition', c.relispartition,
    'hasHeirs', c.relkind <> 'p' and exists (select from pg_inherits h where h.inhparent = c.oid),
    'query', case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_|^information_schema$'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by n.nspname, c.relname`;

const DATABASE = `select json_build_object('name', current_database(),
  'rowChangers', (select json_agg(distinct proname) from pg_proc where proretset or prokind = 'a'))`;

/** Reads the tables and views of a database. `query`: of a session whose `search_path` is `pg_catalog`, so that names are qualified. */
export async function readCatalogue(query: Query): Promise<Catalogue> {
  const rowsOf = async <T>(sql: string): Promise<T[]> =>
    (await query(sql)).rows.map(([row]) => JSON.parse(row ?? 'null') as T);
  const [database] = await rowsOf<{ readonly name: string; readonly rowChangers: readonly string[] | null }>(DATABASE);
  const all = await rowsOf<Details>(DETAILS);
  const live = await liveRelations(
    query,
    all.map(({ schema, name }) => ({ schema, name })),
  );
  const relations = all.flatMap((one): Relation[] => {
    const own = live.get(keyOfTable(one));
    return own ? [relationOf(one, own)] : [];
  });
  return { database: database?.name ?? '', rowChangers: new Set(database?.rowChangers), relations };
}

function relationOf(details: Details, live: LiveRelation): Relation {
  const { comment, query, isForeign, ...own } = details;
  const { isTable, indexes, foreignKeys, hasRowSecurity } = live;
  return {
    ...own,
    indexes,
    foreignKeys,
    hasRowSecurity,
    isForeign,
    isView: !isTable && !isForeign,
    comment: comment ?? undefined,
    columns: live.columns.map((column, i) => columnOf(column, details.columns[i], live.hasUsage)),
    key: indexes.find(({ isPrimary }) => isPrimary)?.columns ?? [],
    query: query ?? undefined,
  };
}

function columnOf(live: LiveColumn, details: ColumnDetails | undefined, hasUsage: boolean): Column {
  const { name, isRequired, rights } = live;
  return {
    name,
    type:
      (details?.dimensions ?? 0) > 1 ? 'an array of several dimensions' : columnType(live, details?.isLoose === true),
    isRequired,
    comment: details?.comment ?? undefined,
    isReadable: hasUsage && rights.includes('select'),
    checks: details?.checks ?? [],
  };
}

/** A relation as SQL names it: `shop."Order Lines"`. */
export const sqlName = ({ schema, name }: Pick<Relation, 'schema' | 'name'>, ...more: readonly string[]): string =>
  [schema, name, ...more]
    .map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`))
    .join('.');
