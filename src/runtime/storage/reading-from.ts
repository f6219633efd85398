import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Reader } from './store.ts';

/** A reader each of whose reads another one answers, whichever `from` gives it. */
export function readingFrom(from: <T>(read: (reader: Reader) => MaybePromise<T>) => MaybePromise<T>): Reader {
  return {
    get: (...args) => from((reader) => reader.get(...args)),
    list: (query) => from((reader) => reader.list(query)),
    count: (...args) => from((reader) => reader.count(...args)),
    getEach: (...args) => from((reader) => reader.getEach(...args)),
    listEach: (query) => from((reader) => reader.listEach(query)),
    countEach: (group) => from((reader) => reader.countEach(group)),
    meetEach: (...args) => from((reader) => reader.meetEach(...args)),
  };
}
