import { type Query, singleValue } from './answer.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** What every commit that was acknowledged lies before (PostgreSQL, 9.27.3). */
const POSITION = `
  select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end - '0/0'`;

/** A position in the write-ahead log. Some that speak the protocol of Postgres have no such function. */
export async function positionOf(query: Query): Promise<bigint | undefined> {
  try {
    return BigInt(singleValue(await query(POSITION, [])));
  } catch {
    return undefined;
  }
}

/** A connection to ask. */
type Asked = Pick<PostgresConnection, 'isUp' | 'pinnedQuery'>;

/** Asks once for the position behind all that is known to be committed in one turn of the event loop. */
export class Positions {
  readonly #another: () => Asked | undefined;
  #next: Promise<bigint | undefined> | undefined;

  /** `another`: a connection for when one is lost. */
  constructor(another: () => Asked | undefined) {
    this.#another = another;
  }

  /** A position behind what was committed over a connection. */
  behind(connection: Asked): Promise<bigint | undefined> {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        resolve(this.#ask(connection));
      });
    });
    return this.#next;
  }

  async #ask(connection: Asked): Promise<bigint | undefined> {
    const position = await positionOf(connection.pinnedQuery());
    if (position !== undefined || connection.isUp) return position;
    const another = this.#another();
    return another && positionOf(another.pinnedQuery());
  }
}
