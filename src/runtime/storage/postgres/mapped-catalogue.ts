import type { MappedTable } from '../../../descriptor/resource.ts';
import type { Query } from './answer.ts';
import { given } from './values.ts';

/** A column as the catalogue has it. */
export interface LiveColumn {
  readonly name: string;
  /** As SQL writes it: `character varying(40)`, `shop.tier`. */
  readonly type: string;
  /** The name of its type in `pg_type`, behind domains; of its elements, if it is an array. */
  readonly base: string;
  /** The type behind domains, without a length, as SQL writes it. */
  readonly cast: string;
  /** The same with its length. */
  readonly bounded: string;
  readonly isArray: boolean;
  /** Of an enum, or of one whose array it is. */
  readonly labels: readonly string[] | null;
  readonly isRequired: boolean;
  /** The database fills it in: by a default, an identity or an expression. */
  readonly isFilled: boolean;
  /** By an expression, or always by an identity: no statement names it. */
  readonly isGenerated: boolean;
  /** Its default uses a sequence that the role may not use. */
  readonly needsSequence: boolean;
  readonly rights: readonly Right[];
}

export type Right = 'select' | 'insert' | 'update' | 'delete';

/** A valid index on whole columns by the order that statements ask for. */
export interface LiveIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  readonly isPrimary: boolean;
}

export interface LiveForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: MappedTable;
  readonly targetColumns: readonly string[];
  readonly onDelete: string;
}

/** A table or view of others. */
export interface LiveRelation {
  readonly isTable: boolean;
  readonly columns: readonly LiveColumn[];
  readonly indexes: readonly LiveIndex[];
  readonly foreignKeys: readonly LiveForeignKey[];
  /** The columns of each check and each exclusion, by its name. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Triggers may change a row after a statement has answered it. */
  readonly hasAfterTriggers: boolean;
  /** Triggers may fill in a new row. */
  readonly hasBeforeTriggers: boolean;
  /** Constraints or triggers wait for the commit. */
  readonly hasDeferred: boolean;
  readonly hasRowSecurity: boolean;
  /** The role may use its schema. */
  readonly hasUsage: boolean;
  readonly rights: readonly Right[];
}

const names = (numbers: string): string =>
  `(select json_agg(k.attname order by u.at) from unnest(${numbers}) with ordinality as u (number, at)
    join pg_attribute k on k.attrelid = %s and k.attnum = u.number)`;

const columnsBy = (numbers: string, relation: string): string =>
  `coalesce(${names(numbers).replace('%s', relation)}, '[]')`;

const RIGHTS = (of: string, rights: readonly Right[]): string =>
  `array_remove(array[${rights.map((right) => `case when ${of}, '${right}') then '${right}' end`).join(', ')}], null)`;

const COLUMNS = `(select coalesce(json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'base', coalesce(e.typname, b.typname),
    'isArray', e.oid is not null,
    'cast', case b.typname when 'bpchar' then 'bpchar' else format_type(b.oid, null) end,
    'bounded', format_type(b.oid, b.mod),
    'labels', (select json_agg(l.enumlabel order by l.enumsortorder) from pg_enum l where l.enumtypid in (b.oid, e.oid)),
    'isRequired', a.attnotnull or b.required, 'isFilled', a.atthasdef or a.attidentity <> '',
    'isGenerated', a.attgenerated <> '' or a.attidentity = 'a',
    'needsSequence', exists (select from pg_attrdef f join pg_depend d
      on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
      join pg_class s on s.oid = d.refobjid
      where f.adrelid = c.oid and f.adnum = a.attnum
        and case s.relkind when 'S' then not has_sequence_privilege(s.oid, 'usage') end),
    'rights', ${RIGHTS('has_column_privilege(c.oid, a.attnum', ['select', 'insert', 'update'])}) order by a.attnum), '[]')
  from pg_attribute a
  join lateral (
    with recursive bases as (
      select t.*, t.typnotnull as required, a.atttypmod as mod from pg_type t where t.oid = a.atttypid
      union all
      select t.*, d.required or t.typnotnull, greatest(d.mod, d.typtypmod) from pg_type t join bases d on t.oid = d.typbasetype)
    select * from bases where typbasetype = 0) b on true
  left join lateral (
    with recursive elements as (
      select t.* from pg_type t where t.oid = b.typelem and b.typcategory = 'A'
      union all select t.* from pg_type t join elements d on t.oid = d.typbasetype)
    select * from elements where typbasetype = 0) e on true
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

/** Btree indexes without conditions and expressions, in the order of their types and columns. */
const INDEXES = `(select coalesce(json_agg(json_build_object(
    'name', i.relname, 'isUnique', x.indisunique, 'isPrimary', x.indisprimary,
    'columns', ${columnsBy('(x.indkey::int2[])[0:x.indnkeyatts - 1]', 'c.oid')}) order by i.relname), '[]')
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam
  where x.indrelid = c.oid and x.indisvalid and x.indpred is null and x.indexprs is null and m.amname = 'btree'
    and not exists (select from unnest(x.indclass::oid[]) as o join pg_opclass p on p.oid = o where not p.opcdefault))`;

/** But for the keys to partitions that Postgres makes for one to their table. */
const FOREIGN_KEYS = `(select coalesce(json_agg(json_build_object('name', f.conname,
    'columns', ${columnsBy('f.conkey', 'c.oid')}, 'targetColumns', ${columnsBy('f.confkey', 'f.confrelid')},
    'target', (select json_build_object('schema', tn.nspname, 'name', t.relname)
      from pg_class t join pg_namespace tn on tn.oid = t.relnamespace where t.oid = f.confrelid),
    'onDelete', case f.confdeltype when 'c' then 'cascade' when 'n' then 'set-null' when 'd' then 'set default' else 'restrict' end
  ) order by f.conname), '[]') from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
    and not exists (select from pg_constraint w where w.oid = f.conparentid and w.conrelid = f.conrelid))`;

const CHECKS = `(select coalesce(json_object_agg(k.conname, ${columnsBy("coalesce(k.conkey, '{}')", 'c.oid')}), '{}')
  from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'x'))`;

/** Enabled triggers of the table, or of a single partition or heir. */
const hasTrigger = (test: string): string =>
  `exists (select from pg_trigger g where g.tgrelid = any (p.parts) and g.tgenabled in ('O', 'A') and ${test})`;

const RELATIONS = `
  select n.nspname, c.relname, json_build_object(
    'isTable', c.relkind in ('r', 'p'), 'columns', ${COLUMNS}, 'indexes', ${INDEXES}, 'foreignKeys', ${FOREIGN_KEYS},
    'checks', ${CHECKS}, 'hasRowSecurity', c.relrowsecurity, 'hasUsage', has_schema_privilege(n.oid, 'usage'),
    'hasAfterTriggers', ${hasTrigger('not g.tgisinternal and g.tgtype & 66 = 0 and g.tgtype & 20 <> 0')},
    'hasBeforeTriggers', ${hasTrigger('not g.tgisinternal and g.tgtype & 7 = 7')},
    'hasDeferred', ${hasTrigger('g.tginitdeferred')},
    'rights', ${RIGHTS('has_table_privilege(c.oid', ['select', 'insert', 'update', 'delete'])})
  from jsonb_array_elements($1::jsonb) as w
  join pg_namespace n on n.nspname = w ->> 'schema'
  join pg_class c on c.relnamespace = n.oid and c.relname = w ->> 'name' and c.relkind in ('r', 'p', 'v', 'm', 'f')
  join lateral (
    with recursive below as (select c.oid union select h.inhrelid from pg_inherits h join below b on b.oid = h.inhparent)
    select array_agg(oid) as parts from below) p on true`;

export const keyOfTable = ({ schema, name }: MappedTable): string => JSON.stringify([schema, name]);

/** The tables and views that the database has of these, by `keyOfTable`. */
export async function liveRelations(
  query: Query,
  wanted: readonly MappedTable[],
): Promise<ReadonlyMap<string, LiveRelation>> {
  const { rows } = await query(RELATIONS, [JSON.stringify(wanted)]);
  return new Map(
    rows.map(([schema, name, relation]) => [
      keyOfTable({ schema: given(schema), name: given(name) }),
      JSON.parse(given(relation)) as LiveRelation,
    ]),
  );
}
