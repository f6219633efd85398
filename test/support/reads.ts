import { whenKnown } from '../../src/runtime/async/maybe-promise.ts';
import { readingFrom } from '../../src/runtime/storage/reading-from.ts';
import type { Reader, Store } from '../../src/runtime/storage/store.ts';

/** Replaces some of what a store's readers do, whoever they read for; how to take that back. */
export function replaceReads(store: Store, replaced: (reader: Reader) => Partial<Reader>): () => void {
  const { reads } = store;
  store.reads = (...args) =>
    whenKnown(reads.apply(store, args), (reader) => ({
      ...readingFrom((read) => read(reader)),
      ...replaced(reader),
    }));
  return () => {
    store.reads = reads;
  };
}

/** Calls back whenever a list is read. */
export const onList = (store: Store, seen: () => void): (() => void) =>
  replaceReads(store, (reader) => ({
    list: (query) => {
      seen();
      return reader.list(query);
    },
  }));

const READS = ['get', 'list', 'count', 'getEach', 'listEach', 'countEach', 'totals'] as const;

/** Notes what is read of a store, of which no page is kept; each read is one statement. */
export function watchReads(store: Store): string[] {
  const reads: string[] = [];
  store.changesElsewhere = () => undefined;
  const watched = (reader: Reader, name: (typeof READS)[number]) => {
    const read = reader[name].bind(reader) as (...args: readonly unknown[]) => unknown;
    return (...args: readonly [{ resource?: string } | string]) => {
      const [first] = args;
      reads.push(`${name} ${typeof first === 'string' ? first : first.resource}`);
      return read(...args);
    };
  };
  replaceReads(store, (reader) => Object.fromEntries(READS.map((name) => [name, watched(reader, name)])));
  return reads;
}
