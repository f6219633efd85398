import type { Compilable } from 'kysely';

/** SQL text, and for each of its placeholders the position of its value among the arguments. */
export interface Statement {
  readonly sql: string;
  readonly slots: readonly number[];
}

/** A statement that reads, and whether that costs the same in a table of any size. */
export interface ReadStatement extends Statement {
  readonly isBounded: boolean;
}

/**
 * Compiles a query whose parameters are positions of arguments, and appends a clause. The text is made once per shape
 * of query; values are bound on each run.
 */
export function statement(query: Compilable, clause = ''): Statement {
  const compiled = query.compile();
  return { sql: compiled.sql + clause, slots: compiled.parameters as readonly number[] };
}

/** The values of a statement's placeholders, in order. */
export function bind<T>(slots: readonly number[], values: readonly T[]): T[] {
  const bound = new Array<T>(slots.length);
  for (let i = 0; i < slots.length; i++) bound[i] = values[slots[i]!]!;
  return bound;
}
