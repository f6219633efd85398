/**
 * A moment in the history of a database. Whoever reads at it, or later, sees all that was committed before it.
 */
export interface Moment {
  /** `p`: a position in the write-ahead log of Postgres; `s`: SQLite, where every read sees every commit. */
  readonly history: 'p' | 's';
  /** Rises with each commit; 0 where moments need not be told apart. */
  readonly position: bigint;
}

/** Of SQLite. */
export const ANY_MOMENT: Moment = { history: 's', position: 0n };
