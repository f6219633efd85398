import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Store } from '../../storage/store.ts';
import type { FollowedRows, Peers } from '../events/peers.ts';
import { covers, type Moment } from '../interface/consistency.ts';
import type { Listed } from '../interface/engine.ts';
import { bytesOf } from './kept-bytes.ts';

export interface ListCacheOptions {
  /** What all pages may take of the memory. */
  readonly maxBytes: number;
  /** A page is read anew after this time. */
  readonly maxAgeMs: number;
  /** Counts what other servers change of the rows; undefined while that cannot be known: then no page is kept. */
  readonly changesElsewhere: (list: CachedList) => number | undefined;
  /** Milliseconds that only rise. */
  readonly clock?: () => number;
}

/** The list of a resource, of the rows of those who ask for it. */
export interface CachedList {
  readonly resource: string;
  readonly rows: FollowedRows;
}

/** Counts what changes outside of this server: by the database, or by what peers report. */
export const changesBeside =
  (store: Pick<Store, 'changesElsewhere' | 'replica'>, peers: Pick<Peers, 'epochOf'> | undefined) =>
  ({ resource, rows }: CachedList): number | undefined => {
    const elsewhere = store.changesElsewhere() ?? peers?.epochOf(resource, rows);
    // What may have been read from the past is not kept.
    return elsewhere === undefined ? undefined : elsewhere + (store.replica?.().unsure ?? 0);
  };

interface Entry {
  readonly page: MaybePromise<Listed>;
  /** Of the resource when the page was asked for: what is written later makes it stale. */
  readonly generation: number;
  readonly changesElsewhere: number;
  /** The moment that the page was read at, or after. */
  readonly seen: Moment;
  readonly until: number;
}

/**
 * Pages of lists by what was asked and by whom, until a row changes that they may show. Below both protocols: what one
 * has read, the other need not. Callers who ask for the same at once share one read.
 */
export class ListCache {
  readonly #options: ListCacheOptions;
  readonly #clock: () => number;
  readonly #entries: LRUCache<string, Entry>;
  readonly #generations = new Map<string, number>();
  /** Pages that were known and current, and those that were read. */
  readonly counts = { hits: 0, misses: 0 };

  constructor(options: ListCacheOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#entries = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: ({ page }, key) => bytesOf(key, page) });
  }

  /**
   * The page of a list under a key, read by `load` unless it is known and current. News of what other servers change
   * take a while: what was read before the moment `after` is not current for a caller that asks for that.
   */
  read<P extends Listed>(list: CachedList, key: string, after: Moment, load: () => MaybePromise<P>): MaybePromise<P> {
    const changesElsewhere = this.#options.changesElsewhere(list);
    if (changesElsewhere === undefined) return load();
    const generation = this.#generations.get(list.resource) ?? 0;
    const known = this.#entries.get(key);
    const isCurrent =
      known !== undefined &&
      known.generation === generation &&
      known.changesElsewhere === changesElsewhere &&
      covers(known.seen, after) &&
      known.until > this.#clock();
    if (isCurrent) {
      this.counts.hits++;
      return known.page as MaybePromise<P>;
    }
    this.counts.misses++;
    const page = load();
    const entry = { page, generation, changesElsewhere, seen: after, until: this.#clock() + this.#options.maxAgeMs };
    this.#entries.set(key, entry);
    if (page instanceof Promise) this.#settle(key, entry, page);
    return page;
  }

  /** Makes the lists of these resources stale. */
  changed(resources: Iterable<string>): void {
    for (const resource of resources) this.#generations.set(resource, (this.#generations.get(resource) ?? 0) + 1);
  }

  /** Replaces the promise of a page by the page, whose size is known; forgets one that fails. */
  #settle(key: string, entry: Entry, page: Promise<Listed>): void {
    const isReplaced = (): boolean => this.#entries.peek(key) !== entry;
    page.then(
      (loaded) => isReplaced() || this.#entries.set(key, { ...entry, page: loaded }),
      () => isReplaced() || this.#entries.delete(key),
    );
  }
}
