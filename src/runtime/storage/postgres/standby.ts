import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { type Answer, singleValue } from './answer.ts';
import type { TableRead } from './connection-pool.ts';
import type { DatabaseLog } from './outage.ts';
import type { PrimaryState } from './primary-clock.ts';
import { given } from './values.ts';

/** The connections to a standby. */
export interface StandbyPool {
  open(): Promise<void>;
  read(sql: string, values?: readonly unknown[]): Promise<Answer>;
  readFrom(read: TableRead): Promise<Answer>;
  close(): Promise<void>;
}

export interface StandbyOptions {
  /** Makes connections that are not open yet. */
  readonly connect: () => StandbyPool;
  /** The cluster and the database that it must be a copy of. */
  readonly identity: () => Promise<string>;
  readonly clock: () => Promise<PrimaryState | undefined>;
  /** Throws `ConfigError` for connections that must not serve reads. */
  readonly check?: ((pool: StandbyPool) => Promise<void>) | undefined;
  readonly log: DatabaseLog | undefined;
}

/**
 * How far it has come; nothing on a server that is not a standby. The timeline is that of its sender, if it may be
 * known.
 */
const STATE = `
  select pg_last_wal_replay_lsn() - '0/0', lpad(upper(to_hex(coalesce(
    (select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())))), 8, '0')
  where pg_is_in_recovery()`;

/** Identifies a cluster and a database: one that is made again by the same name is another. */
export const IDENTITY = `
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()`;

/** Undefined where the role may not ask for it. */
export const identityOf = (query: (sql: string) => Promise<Answer>) =>
  query(IDENTITY).then(singleValue, () => undefined);

const POLL_MS = 2;
/** How long it is left alone after a fault. */
const RETRY_MS = 1_000;
/** What it may be behind when it is taken back. */
const CATCH_UP_MS = 100;

/** The server does not copy the primary. */
class NotAStandby extends Error {}

/**
 * A standby that serves reads as long as it keeps up. Once it lags, fails or stops copying the primary it is left
 * out, and tried again from time to time.
 */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #ending = new AbortController();
  #pool: StandbyPool | undefined;
  #isServing = false;
  #replayed = 0n;
  #timeline = '';
  #asking: Promise<void> | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  /**
   * Throws `ConfigError` for a server that is not one, and for connections that must not serve; a server that does not
   * answer, or lags, is waited for in the background.
   */
  async start(): Promise<void> {
    try {
      await this.#takeIn();
    } catch (error) {
      if (error instanceof NotAStandby) throw new ConfigError([`DATABASE_READ_URL: ${error.message}.`]);
      if (error instanceof ConfigError) throw error;
      this.#leftOut(error);
    }
  }

  /** Whether it has come as far as that, waiting for it. It is left out when it has not. */
  async reaches(
    { position, timeline }: Partial<PrimaryState> & { position: bigint },
    waitMs: number,
  ): Promise<boolean> {
    try {
      const until = performance.now() + waitMs;
      while (this.#isServing) {
        if (timeline !== undefined && timeline !== this.#timeline && (await this.#isOnOther(timeline))) break;
        if (this.#replayed >= position) return true;
        if (performance.now() > until) throw new Error(`it lags for more than ${waitMs} ms`);
        await this.#ask();
        if (this.#replayed < position) await delay(POLL_MS);
      }
    } catch (error) {
      this.leaveOut(error);
    }
    return false;
  }

  readFrom(read: TableRead): Promise<Answer> {
    return this.#pool!.readFrom(read);
  }

  /** Serves no reads until it has caught up. */
  leaveOut(reason: unknown): void {
    if (this.#isServing) this.#leftOut(reason);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#isServing = false;
    await this.#ended;
    await this.#pool?.close();
  }

  #leftOut(reason: unknown): void {
    this.#isServing = false;
    this.#options.log?.warn({ err: reason }, 'the replica is left out: reads go to the primary');
    this.#ended = this.#retry();
  }

  async #retry(): Promise<void> {
    const { signal } = this.#ending;
    let told = '';
    while (!signal.aborted) {
      try {
        await delay(RETRY_MS, undefined, { ref: false, signal });
        await this.#takeIn();
        this.#options.log?.info({}, 'the replica serves reads');
        return;
      } catch (error) {
        // It is tried again. Only who runs it can mend what it is refused for.
        if (!(error instanceof ConfigError) || error.message === told) continue;
        told = error.message;
        this.#options.log?.warn({ err: error }, 'the replica is refused: reads go to the primary');
      }
    }
  }

  async #takeIn(): Promise<void> {
    const pool = this.#pool ?? this.#options.connect();
    if (!this.#pool) {
      await pool.open();
      this.#pool = pool;
    }
    await this.#ask();
    const [mine, theirs] = await Promise.all([pool.read(IDENTITY, []), this.#options.identity()]);
    if (singleValue(mine) !== theirs) throw new NotAStandby('it is not a standby of the server at DATABASE_URL');
    const primary = await this.#options.clock();
    if (!primary) throw new Error('the primary does not answer');
    if (primary.timeline !== this.#timeline) throw new Error('it follows another timeline than the primary');
    if (this.#replayed < primary.position) await delay(CATCH_UP_MS);
    await this.#ask();
    if (this.#replayed < primary.position) throw new Error('it lags');
    await this.#options.check?.(pool);
    if (!this.#ending.signal.aborted) this.#isServing = true;
  }

  /** Asks again: it may have followed the primary. */
  async #isOnOther(timeline: string): Promise<boolean> {
    await this.#ask();
    if (timeline !== this.#timeline) throw new Error('it follows another timeline than the primary');
    return false;
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askNow(): Promise<void> {
    const { rows } = await this.#pool!.read(STATE, []);
    if (!rows[0]) throw new NotAStandby('it is not a standby');
    this.#replayed = BigInt(given(rows[0][0]));
    this.#timeline = given(rows[0][1]);
  }
}
