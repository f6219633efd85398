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
