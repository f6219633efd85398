import type { Query } from './answer.ts';
import { given } from './values.ts';

const SIZES = `
  select relname, pg_relation_size(oid) from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;

const REFRESH_MS = 10_000;
/** A scan of so much takes about a millisecond. */
const SMALL_BYTES = 2 ** 20;

/** Which tables are so small that no read of them takes long. */
export class TableSizes {
  readonly #query: Query;
  #small: ReadonlySet<string> = new Set();
  #until = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  /** As it was at most ten seconds ago, or while a table was locked as a whole, before that. */
  isSmall(table: string): boolean {
    if (performance.now() >= this.#until) this.refresh().catch(() => {});
    return this.#small.has(table);
  }

  async refresh(): Promise<void> {
    this.#until = performance.now() + REFRESH_MS;
    const { rows } = await this.#query(SIZES);
    this.#small = new Set(rows.filter(([, bytes]) => Number(bytes) <= SMALL_BYTES).map(([name]) => given(name)));
  }
}
