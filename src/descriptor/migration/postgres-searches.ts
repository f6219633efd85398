import type { SearchDialect } from './schema-dialect.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What the database has of `pg_trgm` (PostgreSQL, appendix F). */
export type TrigramSupport =
  | { readonly kind: 'installed'; readonly schema: string }
  | { readonly kind: 'installable' }
  | { readonly kind: 'missing' };

/** GIN indexes by the trigrams of the text in lower case, as filters compare it. */
export function postgresSearches(support: TrigramSupport): SearchDialect {
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
      },
      // Whether the index helps is decided by what is known of its expression.
      ...(isFilled
        ? [{ what: `analyze table ${table.name}`, sql: `analyze ${quote(table.name)}`, isConcurrent: true }]
        : []),
    ],
    drop: (name, isFilled) => [
      {
        what: `drop index ${name}`,
        sql: `drop index ${isFilled ? 'concurrently ' : ''}${quote(name)}`,
        isConcurrent: isFilled,
      },
    ],
    // Others may give their indexes names of this form.
    isOwn: () => false,
  };
}
