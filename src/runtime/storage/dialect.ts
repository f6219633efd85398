import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Search, WordSearch } from '../../descriptor/searches.ts';
import type { Column, Table } from '../../descriptor/table.ts';
import type { TotalsDialect } from './totals-dialect.ts';

/** Tables and columns are known only at run time. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own type for an untyped schema
export type AnyDatabase = any;

/** A column of the table that goes by the name `of` in a statement; of the only one, if left out. */
export interface Placed extends Column {
  readonly of?: string | undefined;
}

/** What the statements need to know about a database. */
export interface SqlDialect {
  /** Compiles queries; never runs them. */
  readonly builder: Kysely<AnyDatabase>;
  /** The column as an expression that yields a `StoredValue`. */
  readonly select: (property: Column) => RawBuilder<unknown>;
  /** A query for the entries of a JSON array (the placeholder's text): the index, from 0, and the value. */
  readonly entries: (slot: number, property: Column) => RawBuilder<unknown>;
  /** A query for rows in a JSON array (the placeholder's text): the columns of a table, and `position_`, from 0. */
  readonly rows: (table: Table, slot: number) => RawBuilder<unknown>;
  /** How to sort by the column so that NULL is lowest: `asc`, or `asc nulls first`. */
  readonly direction: (property: Column, direction: 'asc' | 'desc') => string;
  /**
   * Whether the rows that a condition relates to are best listed once: the database chooses the index of a subquery for each
   * row without knowing how many rows it leads to.
   */
  readonly hasLists: boolean;
  /** Whether the limit of a page stands in the text, and not in a placeholder. */
  readonly isLimitInText: boolean;
  /** Whether the database supports lateral joins. */
  readonly hasLateral: boolean;
  /** The column has the placeholder's value, character by character. */
  readonly equals: (property: Placed, slot: number) => RawBuilder<SqlBool>;
  /** The column has one of the values of a JSON array (the placeholder's text), as by `equals`. */
  readonly isAmong: (property: Placed, slot: number) => RawBuilder<SqlBool>;
  /** The column contains the placeholder's text; ASCII letters match in either case. */
  readonly contains: (property: Placed, slot: number) => RawBuilder<SqlBool>;
  /** The row has what the placeholder's text asks for, which is in the database's own language for words. */
  readonly hasWords: (search: WordSearch, slot: number) => RawBuilder<SqlBool>;
  readonly totals: TotalsDialect;
  /** The rows that an index of trigrams finds; undefined where the database uses such an index by itself. */
  readonly search?: {
    /** A query with a row for each that may contain the placeholder's text. */
    readonly matches: (search: Search, slot: number) => RawBuilder<unknown>;
    /** Whether a row is among those. */
    readonly isMatch: (search: Search, slot: number) => RawBuilder<SqlBool>;
  };
}
