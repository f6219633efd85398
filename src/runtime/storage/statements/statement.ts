import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Search } from '../../../descriptor/searches.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';

/** SQL text, and for each of its placeholders the position of its value among the arguments. */
export interface Statement {
  readonly sql: string;
  readonly slots: readonly number[];
}

/** A statement that reads, and whether that costs the same in tables of any size. */
export interface ReadStatement extends Statement {
  readonly isBounded: boolean;
  /** The tables that it reads. */
  readonly tables: readonly string[];
  /** The same by other ways, which cost the same in tables of any size where few rows have one of the values. */
  readonly narrow?: readonly NarrowStatement[] | undefined;
  /**
   * The same page, but of the first rows of its order alone, with the same arguments. If it is full, it is the page; if
   * not, rows may be missing. It costs the same in a table of any size.
   */
  readonly ahead?: Statement | undefined;
  readonly searched?: SearchedStatement;
}

/** A statement by way of the rows that have one value, or one of several. Arguments are those of the read. */
export interface NarrowStatement {
  /** Counts those rows, up to one more than few. */
  readonly probe: Statement;
  readonly statement: Statement;
}

/** The same by an index of trigrams, for a text of three characters or more. It is faster while the index finds few rows. */
export interface SearchedStatement {
  readonly statement: Statement;
  readonly search: Search;
  /** Position of the text among the arguments. */
  readonly slot: number;
  /** Reads one row for each that the index finds, up to a limit. Arguments: the text, the limit. */
  readonly probe: Statement;
}

/** Stands for a limit until `withLimit`: no name or text in SQL has this character. */
const LIMIT = '\0';

/** The limit of a page: in a slot, or where each limit makes a text of its own, to be given by `withLimit`. */
export const limitIn = ({ isLimitInText }: SqlDialect, slot: number): RawBuilder<number> =>
  isLimitInText ? sql.raw(LIMIT) : sql.val(slot);

/** The same for one limit. */
export function withLimit({ narrow, ahead, searched, ...read }: ReadStatement, limit: number): ReadStatement {
  const limited = <S extends Statement>(one: S): S => ({ ...one, sql: one.sql.replaceAll(LIMIT, `${limit}`) });
  return {
    ...limited(read),
    narrow: narrow?.map(({ probe, statement: one }) => ({ probe, statement: limited(one) })),
    ahead: ahead && limited(ahead),
    ...(searched && { searched: { ...searched, statement: limited(searched.statement) } }),
  };
}

/**
 * Compiles a query whose parameters are positions of arguments, and appends a clause. The text is made once per shape
 * of query; values are bound on each run.
 */
export function statement(query: Compilable, clause = ''): Statement {
  const compiled = query.compile();
  return { sql: compiled.sql + clause, slots: compiled.parameters as readonly number[] };
}

export const compiledBy = (builder: Kysely<AnyDatabase>, query: RawBuilder<unknown>): Statement =>
  statement({ compile: () => query.compile(builder) });
