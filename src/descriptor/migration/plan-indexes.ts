import type { Index } from '../indexes.ts';
import { UNRANKED_SUFFIX } from '../searches.ts';
import type { Table } from '../table.ts';
import type { LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Step } from './step.ts';

/**
 * Steps that make the indexes of a table, complete those that a failure has left unfinished, and drop those that Lockstep
 * has made (`made`, by name) for an earlier contract. All others belong to somebody else.
 */
export function planIndexes(
  dialect: SchemaDialect,
  table: Table,
  existing: LiveTable | undefined,
  made: ReadonlySet<string>,
): Step[] {
  const { indexes: wanted, searches, wordSearch: words } = table;
  const names = new Set([...wanted, ...searches, ...(words ? [words] : [])].map(({ name }) => name));
  const live = existing?.indexes ?? new Map<string, { readonly isValid: boolean }>();
  const isPlain = (name: string): boolean => !dialect.searches.isOwn(name) && !dialect.words.isOwn(name);
  // Instances with the contract before ask it until they are replaced: a later migration drops it.
  const isReplaced = (name: string): boolean =>
    name.endsWith(UNRANKED_SUFFIX) && words !== undefined && live.get(words.name)?.isValid !== true;
  const stale = [...live.keys()].filter(
    (name) => made.has(name) && !names.has(name) && isPlain(name) && !isReplaced(name),
  );
  const missing = wanted.filter(({ name }) => !live.has(name));
  const broken = wanted.filter(({ name }) => live.get(name)?.isValid === false);
  return [
    ...stale.map((name) => drop(dialect, table, name, !!existing)),
    ...missing.flatMap((index) => create(dialect, table, index, !!existing)),
    ...broken.flatMap((index) => rebuild(dialect, table, index)),
  ];
}

function create(dialect: SchemaDialect, table: Table, index: Index, isFilled: boolean): Step[] {
  const kind = index.isUnique ? 'unique ' : '';
  const what = `create ${kind}index ${index.name} on ${table.name} (${index.columns.join(', ')})`;
  return dialect.createIndex(table, index, isFilled).map(({ part, ...step }) => ({
    what: part === undefined ? what : `${what}, ${part}`,
    ...facts(table, index),
    ...(isFilled && index.isUnique && { fails: { kind: 'equal', table: table.name, columns: index.columns } }),
    ...step,
  }));
}

function rebuild(dialect: SchemaDialect, table: Table, index: Index): Step[] {
  const step = dialect.rebuildIndex(table, index.name);
  const what = `complete index ${index.name} on ${table.name} (${index.columns.join(', ')})`;
  const fails = index.isUnique && ({ kind: 'equal', table: table.name, columns: index.columns } as const);
  if (step) return [{ what, ...facts(table, index), ...(fails && { fails }), ...step }];
  const unfinished = { what: `${what}: drop what is there`, isOptional: !index.isUnique };
  return [{ ...unfinished, ...dialect.dropIndex(table, index.name, true) }, ...create(dialect, table, index, true)];
}

const facts = (table: Table, { name, isUnique }: Index): Pick<Step, 'isOptional' | 'makes'> => ({
  isOptional: !isUnique,
  makes: { kind: 'index', name, table: table.name },
});

const drop = (dialect: SchemaDialect, table: Table, name: string, isFilled: boolean): Step => ({
  what: `drop index ${name}`,
  isOptional: true,
  drops: name,
  ...dialect.dropIndex(table, name, isFilled),
});
