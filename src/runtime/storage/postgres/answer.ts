import type pg from 'pg';

/** A row as Postgres sends it: one text per column. */
export type WireRow = readonly (string | null)[];

export interface Answer {
  readonly rows: readonly WireRow[];
  /** Number of rows read or changed. */
  readonly count: number;
  /** The command that the server reports to have run: `SELECT`, `COMMIT`, `ROLLBACK`. */
  readonly command: string;
}

/** The value of a statement that always answers one. */
export function singleValue({ rows: [row] }: Pick<Answer, 'rows'>): string {
  const value = row?.[0];
  if (typeof value !== 'string') throw new Error('Postgres answered a statement without its value.');
  return value;
}

/** `opening`: what the transaction of the statement begins with, which is then one of its own. */
export type Query = (sql: string, values?: readonly unknown[], opening?: string) => Promise<Answer>;

/** Makes pg return rows as arrays, and every value as the text that Postgres sends. */
export const TEXT_ROWS = {
  rowMode: 'array' as const,
  types: { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig,
};

/** What pg makes of the answer; of several statements, of each. */
export type Result = StatementResult | StatementResult[];
type StatementResult = pg.QueryArrayResult<(string | null)[]>;

/** The answer to the last statement. */
export function answerOf(result: Result): Answer {
  const { rows, rowCount, command } = Array.isArray(result) ? result.at(-1)! : result;
  return { rows, count: rowCount ?? 0, command };
}
