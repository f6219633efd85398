import type { MaybePromise } from '../../async/maybe-promise.ts';
import { readingFrom } from '../reading-from.ts';
import type { ReadCost } from '../statements/read-cost.ts';
import type { Reader, TurnTaker } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { PostgresReader, type PostgresTables, type Read } from './postgres-reader.ts';
import type { PrimaryClock, PrimaryState } from './primary-clock.ts';
import type { Standby } from './standby.ts';

export interface ReplicaReadsOptions {
  readonly tables: PostgresTables;
  readonly clock: PrimaryClock;
  readonly standby: Standby;
  readonly cost: ReadCost;
}

/** Reads of a caller within a scope: what their transactions begin with, and who answers them else. */
export interface ScopedReads {
  readonly primary: Reader;
  readonly opening: string | undefined;
  readonly caller: TurnTaker | undefined;
}

/** How long a read waits for the replica while the primary could answer it. */
const WAIT_MS = 100;
/** The same while the primary does not answer. */
const WAIT_ALONE_MS = 1_000;

/**
 * Chooses who answers a read: the replica once it has replayed what the primary had committed when the read was asked for,
 * the primary otherwise. So every read sees every write that was answered before, whoever made it.
 */
export class ReplicaReads {
  readonly #options: ReplicaReadsOptions;
  /** The last commit of this server. */
  #committed = 0n;
  /** Reads that the replica answered, reads that it could not, and those that nobody knows to be current. */
  readonly counts = { replica: 0, primary: 0, unsure: 0 };

  constructor(options: ReplicaReadsOptions) {
    this.#options = options;
  }

  #replicaReader({ primary, opening, caller }: ScopedReads): Reader {
    const { tables, standby, cost } = this.#options;
    const read: Read = ({ name: table }, isBounded, sql, values) =>
      standby.readFrom({ table, isBounded, sql, values, opening, caller });
    return this.#withFallback(new PostgresReader(tables, read, cost), primary);
  }

  committed(position: bigint): void {
    if (position > this.#committed) this.#committed = position;
  }

  /** A reader for what must see all commits before `position`, and all that were answered by now. */
  async reader(position: bigint, scoped: ScopedReads): Promise<Reader> {
    const isReached = this.#options.standby.isServing && (await this.#isReached(position));
    this.counts[isReached ? 'replica' : 'primary']++;
    return isReached ? this.#replicaReader(scoped) : scoped.primary;
  }

  async #isReached(position: bigint): Promise<boolean> {
    const { clock, standby } = this.#options;
    const primary = await clock.now();
    // A token from beyond the end of the log is not of this history.
    if (primary) return position <= primary.position && standby.reaches(primary, WAIT_MS);
    this.counts.unsure++;
    const needed: Pick<PrimaryState, 'position'> = {
      position: position > this.#committed ? position : this.#committed,
    };
    return standby.reaches(needed, WAIT_ALONE_MS);
  }

  /** What the replica fails to read, the primary reads. */
  #withFallback(replica: Reader, primary: Reader): Reader {
    const { standby } = this.#options;
    const read = async <T>(from: (reader: Reader) => MaybePromise<T>): Promise<T> => {
      try {
        return await from(replica);
      } catch (error) {
        if (isTimeout(error)) throw error;
        if (!isRecoveryConflict(error)) standby.leaveOut(error);
        this.counts.primary++;
        return await from(primary);
      }
    };
    return readingFrom(read);
  }
}

const codeOf = (error: unknown): unknown => Object(error instanceof StoreError ? error.cause : error).code;

/** It would take as long on the primary. */
const isTimeout = (error: unknown): boolean => codeOf(error) === '57014';
/** A row that the statement needs was removed by replay (PostgreSQL, 27.4.2): nothing is wrong with the replica. */
const isRecoveryConflict = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01';
