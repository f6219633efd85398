import { type Query, singleValue } from './answer.ts';

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

/** Asks once for the position behind all that is known to be committed in one turn of the event loop. */
export class Positions {
  readonly #read: Query;
  #next: Promise<bigint | undefined> | undefined;

  /** `read`: over a connection that runs no transactions, which may wait, or have failed. */
  constructor(read: Query) {
    this.#read = read;
  }

  /** A position behind all commits by now. */
  now(): Promise<bigint | undefined> {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        resolve(this.#ask());
      });
    });
    return this.#next;
  }

  /** Again if there is no answer: a connection may be lost. */
  async #ask(): Promise<bigint | undefined> {
    return (await positionOf(this.#read)) ?? positionOf(this.#read);
  }
}
