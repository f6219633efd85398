import {
  makeIntrospectionQuery,
  type PgAttribute,
  type PgClass,
  type PgConstraint,
  parseIntrospectionResults,
} from 'pg-introspection';
import { INDEXES, type LiveIndex } from '../../runtime/storage/postgres/index.ts';
import { type ColumnType, columnType } from './column-type.ts';

/** A table or a view of a database. */
export interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly comment: string | undefined;
  readonly columns: readonly Column[];
  /** The columns of its primary key; none of a view. */
  readonly key: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly LiveIndex[];
  readonly checks: readonly Check[];
  /** The query of a view. */
  readonly query?: string;
  readonly traits: Traits;
}

export interface Column {
  readonly name: string;
  /** The name of a type without a counterpart. */
  readonly type: ColumnType | string;
  readonly isRequired: boolean;
  readonly comment: string | undefined;
  readonly isReadable: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** The oid of the table, and its columns. */
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: 'restrict' | 'cascade' | 'set-null' | undefined;
}

export interface Check {
  readonly name: string;
  readonly sql: string;
}

/** What may keep a relation from being a resource. */
interface Traits {
  readonly isPartition: boolean;
  readonly hasHeirs: boolean;
  readonly isForeign: boolean;
  readonly hasRowSecurity: boolean;
}

export interface Catalogue {
  readonly database: string;
  readonly relations: readonly Relation[];
  /** The checks of domains, by the oid of the domain. */
  readonly domainChecks: ReadonlyMap<string, readonly Check[]>;
  /** The names of functions that return sets of rows, or one for many. */
  readonly rowChangers: ReadonlySet<string>;
}

/** Runs a statement; its rows. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** What `pg-introspection` leaves out. Names in it are qualified, for `search_path` is `pg_catalog`. */
const DETAILS = `select json_build_object(
  'checks', (select json_object_agg(oid, pg_get_expr(conbin, conrelid)) from pg_constraint where contype = 'c'),
  'queries', (select json_object_agg(c.oid, pg_get_viewdef(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind in ('v', 'm') and nspname !~ '^pg_|^information_schema$'),
  'denied', (select json_agg(a.attrelid || ' ' || a.attnum) from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
      and not (has_schema_privilege(c.relnamespace, 'usage') and has_column_privilege(c.oid, a.attnum, 'select'))),
  'rowChangers', (select json_agg(distinct proname) from pg_proc where proretset or prokind = 'a'),
  'indexes', (select json_object_agg(c.oid, ${INDEXES}) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind in ('r', 'p', 'm') and nspname !~ '^pg_|^information_schema$'),
  'loose', (select json_agg(oid) from pg_collation where not collisdeterministic)
)::text as details`;

interface Details {
  readonly checks: Readonly<Record<string, string>> | null;
  readonly queries: Readonly<Record<string, string>> | null;
  readonly denied: readonly string[] | null;
  readonly rowChangers: readonly string[] | null;
  readonly indexes: Readonly<Record<string, readonly LiveIndex[]>> | null;
  readonly loose: readonly string[] | null;
}

const KINDS = ['r', 'p', 'v', 'm', 'f'];
const VIEWS = ['v', 'm'];
const ON_DELETE: Readonly<Record<string, ForeignKey['onDelete']>> = {
  a: 'restrict',
  r: 'restrict',
  c: 'cascade',
  n: 'set-null',
};

/** Reads all schemas of a database but those of Postgres, without what belongs to extensions. */
export async function readCatalogue(query: Query): Promise<Catalogue> {
  const [row] = await query(makeIntrospectionQuery());
  const introspection = parseIntrospectionResults(String(row?.['introspection']));
  const details = JSON.parse(String((await query(DETAILS))[0]?.['details'])) as Details;
  const types = new Map(introspection.types.map((type) => [type._id, type]));
  const denied = new Set(details.denied);
  const loose = new Set(details.loose);
  const parents = new Set(introspection.inherits.map(({ inhparent }) => inhparent));

  const columnOf = (attribute: PgAttribute): Column => {
    const { attname, atttypid, atttypmod, attcollation, attndims } = attribute;
    const context = {
      typeOf: (oid: string) => types.get(oid),
      isDeterministic: !loose.has(String(attcollation)),
    };
    const type = columnType(atttypid, atttypmod ?? -1, context);
    return {
      name: attname,
      type: (attndims ?? 0) > 1 ? 'an array of several dimensions' : type,
      isRequired: attribute.attnotnull === true || (typeof type !== 'string' && type.isRequired),
      comment: attribute.getDescription(),
      isReadable: !denied.has(`${attribute.attrelid} ${attribute.attnum}`),
    };
  };
  const checkOf = ({ _id, conname }: PgConstraint): Check[] => {
    const sql = details.checks?.[_id];
    return sql === undefined ? [] : [{ name: conname, sql }];
  };
  // What is not validated holds for new rows alone.
  const isChecked = ({ contype, convalidated, conenforced }: PgConstraint): boolean =>
    contype === 'c' && convalidated !== false && conenforced !== false;

  const relationOf = (one: PgClass): Relation => {
    const attributes = one.getAttributes().filter(({ attisdropped, attnum }) => attisdropped !== true && attnum > 0);
    const constraints = one.getConstraints();
    const query = details.queries?.[one._id];
    const indexes = details.indexes?.[one._id] ?? [];
    return {
      oid: one._id,
      schema: one.getNamespace()?.nspname ?? '',
      name: one.relname,
      isView: VIEWS.includes(one.relkind),
      comment: one.getDescription(),
      columns: attributes.map(columnOf),
      key: indexes.find(({ isPrimary }) => isPrimary)?.columns ?? [],
      foreignKeys: constraints
        .filter(({ contype, conparentid }) => contype === 'f' && !isInherited(conparentid))
        .map((constraint) => ({
          name: constraint.conname,
          columns: namesOf(constraint.getAttributes() ?? []),
          target: constraint.confrelid,
          targetColumns: namesOf(constraint.getForeignAttributes() ?? []),
          onDelete: ON_DELETE[constraint.confdeltype ?? ''],
        })),
      indexes,
      checks: constraints.filter(isChecked).flatMap(checkOf),
      ...(query !== undefined && { query }),
      traits: {
        isPartition: one.relispartition === true,
        hasHeirs: one.relkind !== 'p' && parents.has(one._id),
        isForeign: one.relkind === 'f',
        hasRowSecurity: one.relrowsecurity === true,
      },
    };
  };
  return {
    database: introspection.database.datname,
    rowChangers: new Set(details.rowChangers),
    relations: introspection.classes.filter(({ relkind }) => KINDS.includes(relkind)).map(relationOf),
    domainChecks: new Map(
      [...Map.groupBy(introspection.constraints.filter(isChecked), ({ contypid }) => contypid)].map(([oid, own]) => [
        oid,
        own.flatMap(checkOf),
      ]),
    ),
  };
}

const isInherited = (parent: string | null | undefined): boolean => parent != null && parent !== '0';

const namesOf = (attributes: readonly (PgAttribute | null)[]): readonly string[] =>
  attributes.flatMap((attribute) => attribute?.attname ?? []);

/** A relation as SQL names it: `shop."Order Lines"`. */
export const sqlName = ({ schema, name }: Pick<Relation, 'schema' | 'name'>, ...more: readonly string[]): string =>
  [schema, name, ...more]
    .map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`))
    .join('.');
