import type { Search } from '../searches.ts';
import type { Table } from '../table.ts';
import { quote } from './literal.ts';
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
});

const dropped = (_table: Table, name: string): readonly Step[] => [
  { what: `drop index ${name}`, sql: `drop index concurrently ${quote(name)}`, isConcurrent: true },
];

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
      {
        what: `create search index ${name} on ${table.name} (${property.column})`,
        sql: `create index ${isFilled ? 'concurrently ' : ''}${quote(name)} on ${quote(table.name)} using gin (lower(${quote(property.column)}) ${operators})`,
        isConcurrent: isFilled,
        ...(isFilled && { rows: { table: table.name, usPerRow: 40 } }),
      },
      ...(isFilled ? [analyzed(table)] : []),
    ],
    drop: dropped,
    // Others may give their indexes names of this form.
    isOwn: () => false,
  };
}
