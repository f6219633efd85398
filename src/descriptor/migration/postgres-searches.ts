import type { Search } from '../searches.ts';
import type { Table } from '../table.ts';
import { quote } from './literal.ts';
import { indexDrop, indexSteps } from './postgres-partitions.ts';
import type { SearchDialect } from './schema-dialect.ts';
import type { Step } from './step.ts';

/** What the database has of `pg_trgm` (PostgreSQL, appendix F). */
export type TrigramSupport =
  | { readonly kind: 'installed'; readonly schema: string }
  | { readonly kind: 'installable' }
  | { readonly kind: 'missing' };

/** Whether an index of an expression helps is decided by what is known of that. */
export const analyzed = ({ name }: Table): Step => ({
  what: `analyze table ${name}`,
  sql: `analyze ${quote(name)}`,
  isConcurrent: true,
  isOptional: true,
});

const dropped = (table: Table, name: string): readonly Step[] => [
  { what: `drop index ${name}`, ...indexDrop(table, name, true) },
];

/** Makes a GIN index. */
export const searchIndex = (
  table: Table,
  name: string,
  columns: string,
  keys: string,
  isFilled: boolean,
  usPerRow: number,
): Step[] =>
  indexSteps(table, { name, keys: `using gin ${keys}`, usPerRow }, isFilled).map(({ part, ...step }) => ({
    what: `create search index ${name} on ${table.name} (${columns})${part === undefined ? '' : `, ${part}`}`,
    ...step,
  }));

/** GIN indexes by the trigrams of the text in lower case, as filters compare it. */
export function postgresSearches(support: TrigramSupport): SearchDialect<Search> {
  const operators = support.kind === 'installed' ? `${quote(support.schema)}.gin_trgm_ops` : 'gin_trgm_ops';
  return {
    ...(support.kind === 'missing' && {
      unavailable: {
        reason: 'the extension pg_trgm is not installed, and this role may not install it',
        byHand: ['create extension pg_trgm'],
      },
    }),
    ...(support.kind === 'installable' && {
      prerequisite: {
        what: 'install extension pg_trgm',
        sql: 'create extension if not exists pg_trgm',
        isOptional: true,
      },
    }),
    create: (table, { name, property }, isFilled) => [
      ...searchIndex(table, name, property.column, `(lower(${quote(property.column)}) ${operators})`, isFilled, 40),
      ...(isFilled ? [analyzed(table)] : []),
    ],
    drop: dropped,
    // Others may give their indexes names of this form.
    isOwn: () => false,
  };
}
