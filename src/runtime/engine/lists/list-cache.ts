import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { FollowedRows } from '../events/peers.ts';
import { covers, type Moment } from '../interface/consistency.ts';
import type { Page } from '../interface/engine.ts';

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

interface Entry {
  readonly page: MaybePromise<Page>;
  /** Of the resource when the page was asked for: what is written later makes it stale. */
  readonly generation: number;
  readonly changesElsewhere: number;
  /** The moment that the page was read at, or after. */
  readonly seen: Moment;
  readonly until: number;
}

// What V8 keeps beside the characters of texts: of a page its plan, its cursors, its reply and its place in the cache.
const PAGE_BYTES = 2_000;
const ROW_BYTES = 80;
const VALUE_BYTES = 26;
/** Of the name of a property in a reply, and what stands around it. */
const LABEL_BYTES = 16;

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
    this.#entries = new LRUCache({ maxSize: options.maxBytes, sizeCalculation: bytesOf });
  }

  /**
   * The page of a list under a key, read by `load` unless it is known and current. News of what other servers change
   * take a while: what was read before the moment `after` is not current for a caller that asks for that.
   */
  read(list: CachedList, key: string, after: Moment, load: () => MaybePromise<Page>): MaybePromise<Page> {
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
      return known.page;
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
  #settle(key: string, entry: Entry, page: Promise<Page>): void {
    const isReplaced = (): boolean => this.#entries.peek(key) !== entry;
    page.then(
      (loaded) => isReplaced() || this.#entries.set(key, { ...entry, page: loaded }),
      () => isReplaced() || this.#entries.delete(key),
    );
  }
}

/** Of the key, the rows, and the text that REST makes of them; of a page that is being read, a guess. */
function bytesOf({ page }: Entry, key: string): number {
  let bytes = PAGE_BYTES + widthOf(key) * key.length;
  if (page instanceof Promise) return bytes;
  let [replyLength, replyWidth] = [0, 1];
  for (const { row } of page.items) {
    bytes += ROW_BYTES;
    for (const value of row) {
      const text = typeof value === 'string' ? value : '';
      const width = widthOf(text);
      bytes += VALUE_BYTES + width * text.length;
      replyLength += LABEL_BYTES + text.length;
      replyWidth = Math.max(replyWidth, width);
    }
  }
  return bytes + replyWidth * replyLength;
}

/** Bytes of a character: one beyond Latin-1 makes all of its text twice as large. */
const widthOf = (text: string): number => (BEYOND_LATIN_1.test(text) ? 2 : 1);
const BEYOND_LATIN_1 = /[^\0-\xff]/;
