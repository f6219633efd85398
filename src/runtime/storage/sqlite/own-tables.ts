import { randomBytes } from 'node:crypto';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SlowThread } from './slow-thread.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { BOOT_BUSY_TIMEOUT_MS } from './sqlite-file.ts';

const CLOCK_MARK = { sql: 'select max(mark) from lockstep_clock', slots: [] };
const RAISE_CLOCK_MARK = {
  sql: `insert into lockstep_clock (name, mark) values ('ids', ?)
        on conflict (name) do update set mark = max(mark, excluded.mark) returning mark`,
  slots: [0],
};
const HAS_EXPIRED = { sql: 'select 1 from lockstep_memory where expires_at <= ? limit 1', slots: [0] };
const DELETE_EXPIRED = {
  sql: `delete from lockstep_memory where rowid in (
          select rowid from lockstep_memory where expires_at <= ? order by expires_at limit ?) returning 1`,
  slots: [0, 1],
};

/** What the tables that belong to no resource are read and written by. */
export interface OwnAccess {
  readonly reader: SqliteConnection;
  readonly writer: SqliteConnection;
  readonly commits: GroupCommit;
  /** For what the event loop does not wait for. */
  readonly aside: SlowThread;
}

/** The tables that belong to no resource: secrets that servers share, and what they remember for a time. */
export class OwnTables {
  readonly #access: OwnAccess;

  constructor(access: OwnAccess) {
    this.#access = access;
  }

  secret(name: string): Uint8Array {
    const { database } = this.#access.writer;
    const known = database.prepare('select value from lockstep_secret where name = ?').get(name);
    if (known) return known['value'] as Uint8Array;
    // Another server may make the secret at the same time.
    database.exec(`pragma busy_timeout = ${BOOT_BUSY_TIMEOUT_MS}`);
    database.prepare('insert or ignore into lockstep_secret (name, value) values (?, ?)').run(name, randomBytes(32));
    database.exec('pragma busy_timeout = 0');
    return database.prepare('select value from lockstep_secret where name = ?').get(name)!['value'] as Uint8Array;
  }

  clockMark(atLeast?: number): MaybePromise<number> {
    const { reader, writer, commits } = this.#access;
    if (atLeast === undefined) return Number(reader.value(CLOCK_MARK, []) ?? 0);
    return commits.run(() => Number(writer.value(RAISE_CLOCK_MARK, [atLeast])));
  }

  /** In a thread: a batch takes many pages in no order. */
  async deleteExpired(now: Date, limit: number): Promise<number> {
    const { reader, aside } = this.#access;
    const time = now.toISOString();
    if (!reader.first(HAS_EXPIRED, [time])) return 0;
    return (await aside.all({ statement: DELETE_EXPIRED, values: [time, limit] })).length;
  }
}
