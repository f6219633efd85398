import { StoreError } from '../store-error.ts';
import type { Answer } from './answer.ts';
import { type Lease, Withdrawn } from './lease.ts';
import { positionOf } from './positions.ts';
import { isCancelled, isConflict, needsNewConnection } from './postgres-errors.ts';

/** The insert of one row, which commits alone or together with others. */
export interface Insert {
  readonly table: string;
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly resolve: (inserted: Inserted) => void;
  /** Gets `Withdrawn` if nothing is written, and the insert must run alone. */
  readonly reject: (error: unknown) => void;
}

export type InsertGroup = readonly [Insert, ...Insert[]];

/** A committed insert. */
export interface Inserted {
  readonly answer: Answer;
  /** A position behind the commit. */
  readonly position: Promise<bigint | undefined>;
}

/** Larger groups save nothing more, and the first row waits for the last. */
const MAX_GROUP = 8;
/** How long the inserts of a table run alone after a group had to wait for a lock. */
const PAUSE_MS = 5_000;

/** Runs inserts that have arrived at once, or waited for a connection, in one transaction. If one is refused, nothing is written, and each runs alone. */
export class InsertGroups {
  readonly #limit: number;
  /** Until when the inserts of a table run alone. */
  readonly #pausedUntilMs = new Map<string, number>();

  constructor(isOn: boolean) {
    this.#limit = isOn ? MAX_GROUP : 1;
  }

  /** Whether the inserts of a table run together at present. */
  isGrouped(table: string): boolean {
    const untilMs = this.#pausedUntilMs.get(table);
    return this.#limit > 1 && (untilMs === undefined || untilMs <= performance.now());
  }

  /** An insert with those that run along with it. `next` removes one from the queue if it is wanted. */
  gathered(first: Insert, next: (isWanted: (insert: Insert) => boolean) => Insert | undefined): InsertGroup {
    const group: [Insert, ...Insert[]] = [first];
    const isWanted = ({ table }: Insert) => this.isGrouped(table);
    while (group.length < this.#limit && isWanted(first)) {
      const another = next(isWanted);
      if (!another) break;
      group.push(another);
    }
    return group;
  }

  /** Settles all inserts, and never rejects. */
  async run(lease: Lease, inserts: InsertGroup): Promise<void> {
    const { connection } = lease;
    const [{ table }] = inserts;
    if (connection.isPooled) return rejectAll(inserts, new Withdrawn(table));
    const query = connection.pinnedQuery();
    const prepared = inserts.length > 1 ? connection.prepared(inserts) : undefined;
    if (prepared) {
      try {
        const answering = lease.run(table, () => connection.together(prepared));
        const position = positionOf(query);
        return (await answering).forEach((answer, i) => {
          inserts[i]?.resolve({ answer, position });
        });
      } catch (error) {
        const fault = this.#faultOf(error, inserts);
        if (fault) return rejectAll(inserts, fault);
      }
      // A request to cancel must not hit the statements that follow.
      await lease.settled;
    }
    const running = inserts.map(({ resolve, reject, ...insert }) => {
      const answering = lease.run(insert.table, () => query(insert.sql, insert.values));
      return { answering, resolve, reject };
    });
    const position = positionOf(query);
    await Promise.all(
      running.map(({ answering, resolve, reject }) =>
        answering.then((answer) => resolve({ answer, position }), reject),
      ),
    );
  }

  /** The error of all inserts of a group; undefined if each must run alone, on the same connection. */
  #faultOf(error: unknown, inserts: InsertGroup): unknown {
    const isWithdrawn = isCancelled(error) || error instanceof Withdrawn;
    if (isWithdrawn || isConflict(error)) this.#pause(inserts);
    if (isWithdrawn) return new Withdrawn(inserts[0].table, true);
    return error instanceof StoreError || needsNewConnection(error) ? error : undefined;
  }

  #pause(inserts: readonly Insert[]): void {
    const untilMs = performance.now() + PAUSE_MS;
    for (const { table } of inserts) this.#pausedUntilMs.set(table, untilMs);
  }
}

function rejectAll(inserts: readonly Insert[], error: unknown): void {
  for (const { reject } of inserts) reject(error);
}
