import { randomBytes } from 'node:crypto';
import { singleValue } from './answer.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { given } from './values.ts';

const SECRET = "select encode(value, 'hex') from lockstep_secret where name = $1";
const MAKE_SECRET = `
  insert into lockstep_secret (name, value) values ($1, decode($2, 'hex')) on conflict do nothing`;
const CLOCK_MARK = 'select coalesce(max(mark), 0) from lockstep_clock';
const RAISE_CLOCK_MARK = `
  insert into lockstep_clock (name, mark) values ('ids', $1)
  on conflict (name) do update set mark = greatest(lockstep_clock.mark, excluded.mark) returning mark`;
/** Several servers delete side by side. */
const DELETE_EXPIRED = `
  delete from lockstep_memory where key = any (array(
    select key from lockstep_memory where expires_at <= $1 order by expires_at limit $2 for update skip locked))`;

/** The tables that belong to no resource: secrets that servers share, and what they remember for a time. */
export class OwnTables {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** Servers that start together wait for the one of them that makes it. */
  async secret(name: string): Promise<Uint8Array> {
    const known = await this.#secret(name);
    if (known) return known;
    await this.#pool.write(MAKE_SECRET, [name, randomBytes(32).toString('hex')]);
    const made = await this.#secret(name);
    if (!made) throw new Error(`The secret ${name} cannot be read.`);
    return made;
  }

  async #secret(name: string): Promise<Uint8Array | undefined> {
    const read = { table: 'lockstep_secret', isBounded: true, sql: SECRET, values: [name] };
    const { rows } = await this.#pool.readFrom(read);
    return rows[0] && new Uint8Array(Buffer.from(given(rows[0][0]), 'hex'));
  }

  async clockMark(atLeast?: number): Promise<number> {
    const read = { table: 'lockstep_clock', isBounded: true, sql: CLOCK_MARK, values: [] };
    const answer = await (atLeast === undefined
      ? this.#pool.readFrom(read)
      : this.#pool.write(RAISE_CLOCK_MARK, [atLeast]));
    return Number(singleValue(answer));
  }

  /** How many were deleted. */
  async deleteExpired(now: Date, limit: number): Promise<number> {
    return (await this.#pool.write(DELETE_EXPIRED, [now.toISOString(), limit])).count;
  }
}
