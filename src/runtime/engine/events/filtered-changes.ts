import { ALL_ROWS } from '../../storage/row-scope.ts';
import type { Condition, Reader, Row, Store, StoredValue } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';
import type { EventBus } from './event-bus.ts';
import { concerns, MISSED_EVENTS, type RowChange } from './row-change.ts';

/** A change as one filter shows it: the row as its callers may see it. */
interface SeenChange {
  readonly kind: ChangeKind;
  readonly row: Row;
}

export type OnSeen = (change: SeenChange | typeof MISSED_EVENTS) => void;

/** The conditions on a row for a caller to see it, those on the rows above it aside. */
type FilterLevel = Pick<CallerFilter, 'resource' | 'conditions'>;

/** The filter of all callers for whom these conditions select the rows that they see. */
export interface CallerFilter {
  /** Key of the resource. */
  readonly resource: string;
  readonly conditions: readonly Condition[];
  /** The same by level, for rows whose parents are gone with them. */
  readonly levels: readonly FilterLevel[];
  /** Whether changes of other rows bring rows in and out of these callers' sight. */
  readonly isSwayed: boolean;
  /** The tenant whose rows these callers see; undefined: any. */
  readonly tenant: StoredValue | undefined;
  /** What a row has where it stands in for a condition on it alone, which needs no database: the tenant. */
  readonly within?: { readonly index: number; readonly value: StoredValue } | undefined;
}

const KINDS = ['created', 'updated', 'deleted', 'resighted'] as const;

/** Rows that one statement tests. */
const MAX_TESTED = 500;

/**
 * Sends the changes of a resource to those who see the rows. The database is asked which callers do when the change is
 * published, once for all callers with the same filter: by the values that the row has, and had, and by other rows as they
 * are then. A row that a change takes out of sight is sent as deleted, as it was before.
 */
export class FilteredChanges {
  readonly #events: EventBus;
  readonly #store: Readers;
  readonly #maxQueued: number;
  readonly #groups = new Map<string, Group>();

  constructor(events: EventBus, store: Readers, maxQueued: number) {
    this.#events = events;
    this.#store = store;
    this.#maxQueued = maxQueued;
  }

  /** Calls the listener for each change in sight, in their order, until the returned function is called. */
  follow(filter: CallerFilter, listener: OnSeen): () => void {
    const key = JSON.stringify([filter.resource, filter.conditions]);
    const group =
      this.#groups.get(key) ?? new Group(this.#events, readerFor(this.#store, filter), filter, this.#maxQueued);
    this.#groups.set(key, group);
    group.listeners.add(listener);
    return () => {
      group.listeners.delete(listener);
      if (group.listeners.size > 0 || this.#groups.get(key) !== group) return;
      this.#groups.delete(key);
      group.close();
    };
  }
}

type Readers = Pick<Store, 'within' | 'ofTenant'>;

/** The rows that callers of one tenant may see are of this tenant. */
const readerFor = (store: Readers, { tenant }: CallerFilter): Reader =>
  tenant === undefined || tenant === null ? store.within(ALL_ROWS) : store.ofTenant(String(tenant));

/** All callers with the same filter. */
class Group {
  readonly listeners = new Set<OnSeen>();
  readonly #reader: Reader;
  readonly #filter: CallerFilter;
  readonly #maxQueued: number;
  readonly #unsubscribe: readonly (() => void)[];
  #queue: (RowChange | typeof MISSED_EVENTS)[] = [];
  #isBusy = false;

  constructor(events: EventBus, reader: Reader, filter: CallerFilter, maxQueued: number) {
    this.#reader = reader;
    this.#filter = filter;
    this.#maxQueued = maxQueued;
    // Who missed one kind of changes has missed them all.
    this.#unsubscribe = KINDS.map((kind, i) =>
      events.subscribe(filter.resource, kind, (change) => {
        if (change !== MISSED_EVENTS || i === 0) this.#push(change);
      }),
    );
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#queue = [];
  }

  #push(change: RowChange | typeof MISSED_EVENTS): void {
    if (this.#queue.length >= this.#maxQueued) this.#queue = [MISSED_EVENTS];
    else this.#queue.push(change);
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.#queue.length > 0)
      for (const change of await this.#seen(this.#queue.splice(0, MAX_TESTED / 2)))
        for (const listener of [...this.listeners]) listener(change);
    this.#isBusy = false;
  }

  /** What these callers get. Never fails: what cannot be tested, they have missed. */
  async #seen(
    changes: readonly (RowChange | typeof MISSED_EVENTS)[],
  ): Promise<readonly (SeenChange | typeof MISSED_EVENTS)[]> {
    try {
      const seen = new Set([
        ...(await this.#seenOf(changes.flatMap(rowsOf))),
        ...(await this.#seenOfGone(changes.filter(hasGone))),
      ]);
      const isSeen = (row: Row) => this.#filter.conditions.length === 0 || seen.has(row);
      return changes.flatMap((change) => this.#told(change, isSeen));
    } catch {
      return [MISSED_EVENTS];
    }
  }

  async #seenOf(rows: readonly Row[]): Promise<readonly Row[]> {
    const { resource, conditions, within } = this.#filter;
    const near = within ? rows.filter((row) => row[within.index] === within.value) : rows;
    return this.#meeting({ resource, conditions }, near, (row) => row);
  }

  /** Rows that are gone with those above them, all of which are tested by what they had. */
  async #seenOfGone(changes: readonly Gone[]): Promise<readonly Row[]> {
    const { levels } = this.#filter;
    let seen: readonly Gone[] = changes.filter(({ ancestors }) => ancestors.length === levels.length - 1);
    for (const [i, level] of levels.entries())
      seen = await this.#meeting(level, seen, (change) => (i === 0 ? wasOf(change) : change.ancestors[i - 1]!));
    return seen.map(wasOf);
  }

  async #meeting<T>(level: FilterLevel, all: readonly T[], rowOf: (one: T) => Row): Promise<readonly T[]> {
    if (all.length === 0 || level.conditions.length === 0) return all;
    const meets = await this.#reader.meetEach(level.resource, all.map(rowOf), level.conditions);
    return all.filter((_, i) => meets[i]);
  }

  #told(
    change: RowChange | typeof MISSED_EVENTS,
    isSeen: (row: Row) => boolean,
  ): readonly (SeenChange | typeof MISSED_EVENTS)[] {
    if (change === MISSED_EVENTS) return [MISSED_EVENTS];
    const { kind, row, before = row } = change;
    switch (kind) {
      case 'resighted':
        return this.#filter.isSwayed && concerns(change, this.#filter.tenant) ? [MISSED_EVENTS] : [];
      case 'created':
        return isSeen(row) ? [{ kind, row }] : [];
      case 'updated':
        if (isSeen(row)) return [{ kind, row }];
        return isSeen(before) ? [{ kind: 'deleted', row: before }] : [];
      case 'deleted':
        return isSeen(before) ? [{ kind, row: before }] : [];
    }
  }
}

type Gone = RowChange & { readonly kind: 'deleted' };

const wasOf = ({ row, before = row }: RowChange): Row => before;

/** Whether it is a deleted row that has those above it along, which may be gone, too. */
const hasGone = (change: RowChange | typeof MISSED_EVENTS): change is Gone =>
  change !== MISSED_EVENTS && change.kind === 'deleted' && change.ancestors.length > 0;

function rowsOf(change: RowChange | typeof MISSED_EVENTS): readonly Row[] {
  if (change === MISSED_EVENTS || change.kind === 'resighted' || hasGone(change)) return [];
  const { kind, row, before = row } = change;
  if (kind === 'updated') return before === row ? [row] : [before, row];
  return [kind === 'deleted' ? before : row];
}
