import { lowerFirst, snakeCase } from '../../compiler/model/index.ts';
import { CommandFailure } from '../../tools/command-failure.ts';
import { type Catalogue, type Column, type Relation, sqlName } from './catalogue.ts';
import type { ColumnType } from './column-type.ts';

/** Something of the database that the contract does not have. */
export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

export interface SelectOptions {
  /** Names of tables, with or without their schema, with `*` for any text. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  /** The columns of views that are their keys: `VIEW=COLUMN,COLUMN`. */
  readonly keys?: readonly string[] | undefined;
}

/** A relation that becomes a resource. */
export interface Selected extends Relation {
  readonly columns: readonly TypedColumn[];
}

export interface TypedColumn extends Column {
  readonly type: ColumnType;
}

const TABLES_OF_TOOLS =
  /^(?:lockstep_.*|schema_migrations|ar_internal_metadata|flyway_schema_history|databasechangelog(?:lock)?|_?prisma_migrations|knex_migrations(?:_lock)?|__efmigrationshistory|alembic_version|django_migrations|goose_db_version|_sqlx_migrations|__?drizzle_migrations|sequelizemeta|typeorm_metadata|pgmigrations|gorp_migrations|__diesel_schema_migrations|phinxlog|doctrine_migration_versions|schemaversions|atlas_schema_revisions)$/i;
const SCHEMAS_OF_TOOLS =
  /^(?:hdb_catalog|hdb_views|graphile_\w+|pgboss|drizzle|atlas_schema_revisions|cron|pgmq|lockstep)$/;
const SECRET =
  /passw|pwd|passphrase|passcode|secret|token|api_?key|(?:private|access|signing|encryption)_?key|credential|card_?num|(?:^|_)(?:salt|otp|totp|mfa|cvv|cvc)(?:_|$)/;

/** Splits what a contract does not know of a database into what becomes a resource, and what is left out. Throws `CommandFailure` for names that nothing has. */
export function select(
  { relations }: Catalogue,
  viewKeys: ReadonlyMap<string, readonly string[]>,
  isKnown: (relation: Relation) => boolean,
  options: SelectOptions,
): { readonly selected: readonly Selected[]; readonly leftOut: readonly LeftOut[] } {
  const [only, except] = [patterns('--only', relations, options.only), patterns('--except', relations, options.except)];
  const given = givenKeys(relations, options.keys ?? []);
  const leftOut: LeftOut[] = [];
  const selected = relations.flatMap((relation): Selected[] => {
    if ((only && !only(relation)) || except?.(relation) || isKnown(relation)) return [];
    const what = sqlName(relation);
    const found = { ...relation, key: given.get(what) ?? viewKeys.get(what) ?? relation.key };
    const why = whyNot(found);
    if (why !== undefined) {
      leftOut.push({ what, why });
      return [];
    }
    const columns = found.columns.filter((column): column is TypedColumn => {
      const reason = whyNoColumn(column);
      if (reason !== undefined) leftOut.push({ what: sqlName(relation, column.name), why: reason });
      return reason === undefined;
    });
    return [{ ...found, columns }];
  });
  return { selected, leftOut };
}

function whyNot(relation: Relation): string | undefined {
  const { schema, name, isView, key, columns } = relation;
  if (SCHEMAS_OF_TOOLS.test(schema) || TABLES_OF_TOOLS.test(name)) return 'Belongs to another tool.';
  if (relation.isPartition) return 'A partition: its table serves its rows.';
  if (relation.hasHeirs) return 'Other tables inherit from it: its key may occur twice.';
  if (relation.hasRowSecurity) return 'Row-level security: the server is one role for all callers.';
  if (relation.isForeign) return 'A foreign table, which has no key.';
  if (columns.every(({ isReadable }) => !isReadable)) return 'The role of the URL may not select it.';
  if (key.length === 0)
    return isView ? 'A view whose key does not follow from its query: name it by --key.' : 'No primary key.';
  for (const column of key) {
    const own = columns.find((one) => one.name === column);
    const why = own && whyNoKey(own, key.length > 1);
    if (why !== undefined) return `Its key has the column ${column}: ${lowerFirst(why)}`;
  }
  return undefined;
}

const whyNoColumn = ({ name, type, isReadable }: Column): string | undefined =>
  !isReadable
    ? 'The role of the URL may not select it.'
    : SECRET.test(snakeCase(name))
      ? 'Looks like a secret.'
      : typeof type === 'string'
        ? `The type ${type} has no counterpart.`
        : undefined;

function whyNoKey(column: Column, isComposite: boolean): string | undefined {
  const why = whyNoColumn(column);
  if (why !== undefined || typeof column.type === 'string') return why;
  const { type, format = '' } = column.type.schema as { readonly type?: string; readonly format?: string };
  const isId = type === 'integer' || (type === 'string' && ['', 'uuid', 'int64'].includes(format));
  const isPart = type === 'boolean' || type === 'string';
  return isId || (isComposite && isPart) ? undefined : 'An id is a text, a UUID or an integer.';
}

/** A test of what options name. */
function patterns(
  option: string,
  relations: readonly Relation[],
  names: readonly string[] | undefined,
): ((relation: Relation) => boolean) | undefined {
  const tests = (names ?? []).map((name) => {
    const pattern = new RegExp(`^${name.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
    const test = (one: Relation): boolean => pattern.test(one.name) || pattern.test(`${one.schema}.${one.name}`);
    if (!relations.some(test)) throw new CommandFailure(`${option} ${name}: the database has no such table or view.`);
    return test;
  });
  return names && ((relation) => tests.some((test) => test(relation)));
}

function givenKeys(relations: readonly Relation[], keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    keys.map((text) => {
      const [, name = '', list = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
      const columns = list.split(',');
      const found = relations.filter(
        (one) => one.isView && (one.name === name || `${one.schema}.${one.name}` === name),
      );
      const [view] = found;
      const place = `--key ${text}`;
      if (name === '') throw new CommandFailure(`${place}: write VIEW=COLUMN, or VIEW=COLUMN,COLUMN.`);
      if (!view) throw new CommandFailure(`${place}: the database has no view ${name}.`);
      if (found.length > 1)
        throw new CommandFailure(`${place}: several schemas have it; write ${view.schema}.${name}.`);
      const unknown = columns.find((column) => !view.columns.some((one) => one.name === column));
      if (unknown !== undefined) throw new CommandFailure(`${place}: ${name} has no column ${unknown}.`);
      return [sqlName(view), columns] as const;
    }),
  );
}
