import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { StoredValue } from '../../storage/store.ts';
import type { Page } from '../interface/engine.ts';

export interface ListCacheOptions {
  /** What all pages may take of the memory, roughly. */
  readonly maxBytes: number;
  /** A page is read anew after this time. */
  readonly maxAgeMs: number;
  /** Counts what other servers change; undefined while that cannot be known: then no page is kept. */
  readonly changesElsewhere: () => number | undefined;
  /** Milliseconds that only rise. */
  readonly clock?: () => number;
}

interface Entry {
  page: MaybePromise<Page>;
  /** Of the resource when the page was asked for: what is written later makes it stale. */
  readonly generation: number;
  readonly changesElsewhere: number;
  readonly until: number;
  bytes: number;
  isUsed: boolean;
}

const PAGE_BYTES = 500;
const VALUE_BYTES = 16;

/**
 * Pages of lists by what was asked and by whom, until a row changes that they may show. Below both protocols: what one
 * has read, the other need not. Callers who ask for the same at once share one read.
 */
export class ListCache {
  readonly #options: ListCacheOptions;
  readonly #clock: () => number;
  /** Those that were not used since they came, or were last spared, first. */
  readonly #entries = new Map<string, Entry>();
  readonly #generations = new Map<string, number>();
  #bytes = 0;

  constructor(options: ListCacheOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** The page under a key of a resource, read by `load` unless it is known and current. */
  read(resource: string, key: string, load: () => MaybePromise<Page>): MaybePromise<Page> {
    const changesElsewhere = this.#options.changesElsewhere();
    if (changesElsewhere === undefined) return load();
    const generation = this.#generations.get(resource) ?? 0;
    const known = this.#entries.get(key);
    if (known) {
      const isCurrent =
        known.generation === generation && known.changesElsewhere === changesElsewhere && known.until > this.#clock();
      if (isCurrent) {
        known.isUsed = true;
        return known.page;
      }
      this.#entries.delete(key);
      this.#bytes -= known.bytes;
    }
    const page = load();
    const until = this.#clock() + this.#options.maxAgeMs;
    const entry: Entry = { page, generation, changesElsewhere, until, bytes: 0, isUsed: false };
    this.#entries.set(key, entry);
    if (page instanceof Promise) {
      page.then(
        (loaded) => this.#measure(key, entry, loaded),
        () => this.#forget(key, entry),
      );
    } else this.#measure(key, entry, page);
    return page;
  }

  /** Makes the lists of these resources stale. */
  changed(resources: Iterable<string>): void {
    for (const resource of resources) this.#generations.set(resource, (this.#generations.get(resource) ?? 0) + 1);
  }

  #measure(key: string, entry: Entry, page: Page): void {
    if (this.#entries.get(key) !== entry) return;
    entry.page = page;
    entry.bytes = 2 * key.length + bytesOf(page);
    this.#bytes += entry.bytes;
    for (const [oldest, candidate] of this.#entries) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#entries.delete(oldest);
      if (candidate.isUsed) {
        // Once more round.
        candidate.isUsed = false;
        this.#entries.set(oldest, candidate);
      } else this.#bytes -= candidate.bytes;
    }
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** Of the rows, and as much again for the text that is made of them. */
function bytesOf({ items }: Page): number {
  let bytes = PAGE_BYTES;
  for (const { row } of items) for (const value of row) bytes += 2 * (VALUE_BYTES + textLength(value));
  return bytes;
}

const textLength = (value: StoredValue): number => (typeof value === 'string' ? value.length : 0);
