import { quote } from '../../../descriptor/migration/literal.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const REFRESH_MS = 10_000;
/** A scan of so many takes about a millisecond. */
const SMALL_ROWS = 5_000;

/** Which tables are so small that no read of them takes long. */
export class TableSizes {
  readonly #reader: SqliteConnection;
  readonly #known = new Map<string, { readonly isSmall: boolean; readonly until: number }>();

  constructor(reader: SqliteConnection) {
    this.#reader = reader;
  }

  /** As it was at most ten seconds ago. */
  isSmall(table: string): boolean {
    const known = this.#known.get(table);
    if (known && performance.now() < known.until) return known.isSmall;
    const isSmall = this.#measure(table);
    this.#known.set(table, { isSmall, until: performance.now() + REFRESH_MS });
    return isSmall;
  }

  /** By the highest row number, which is at least the number of rows and takes no scan. */
  #measure(table: string): boolean {
    try {
      const last = this.#reader.value({ sql: `select max(rowid) from ${quote(table)}`, slots: [] }, []);
      return Number(last ?? 0) <= SMALL_ROWS;
    } catch {
      // A view, or a table without row numbers, of whoever made this database.
      return false;
    }
  }
}
