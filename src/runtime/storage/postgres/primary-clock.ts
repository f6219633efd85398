import type { Query } from './answer.ts';
import { given } from './values.ts';

/** How far the primary has come. */
export interface PrimaryState {
  /** Where in the write-ahead log every commit that was acknowledged lies before. */
  readonly position: bigint;
  /** Rises when a standby is promoted: positions of different timelines cannot be compared. */
  readonly timeline: string;
}

const STATE = `
  select lsn - '0/0', left(pg_walfile_name(lsn), 8) from (
    select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as lsn) as now`;

/** After a failure the primary is not asked for so long. */
const PAUSE_MS = 1_000;

/**
 * Asks the primary how far it has come. Those who ask while a question is under way share the next one: the answer to the
 * first may be older than what they have seen.
 */
export class PrimaryClock {
  readonly #query: Query;
  #asking: Promise<PrimaryState> | undefined;
  #next: Promise<PrimaryState> | undefined;
  #silentUntil = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  /** Undefined while the primary does not answer. */
  async now(): Promise<PrimaryState | undefined> {
    if (performance.now() < this.#silentUntil) return undefined;
    try {
      return await this.#shared();
    } catch {
      this.#silentUntil = performance.now() + PAUSE_MS;
      return undefined;
    }
  }

  #shared(): Promise<PrimaryState> {
    if (!this.#asking) return this.#ask();
    this.#next ??= this.#asking
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#ask();
      });
    return this.#next;
  }

  #ask(): Promise<PrimaryState> {
    const asking = this.#query(STATE, []).then(({ rows: [row] }) => ({
      position: BigInt(given(row?.[0])),
      timeline: given(row?.[1]),
    }));
    this.#asking = asking;
    const done = (): void => {
      if (this.#asking === asking) this.#asking = undefined;
    };
    asking.then(done, done);
    return asking;
  }
}
