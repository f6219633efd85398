import type { FieldNode } from 'graphql';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Selection } from './asked-properties.ts';

/** Loads the values of all keys, in the same order. `asked`: the properties that are asked for of each; all if undefined. */
export type LoadEach<K, T> = (keys: readonly K[], asked: Selection['asked']) => MaybePromise<readonly (T | ApiError)[]>;

/**
 * Collects the keys of one field for all parents of its level, and loads them together: a level costs one load, however
 * many parents it has. Equal keys are loaded once.
 */
export class Batch<K, T> {
  readonly #load: LoadEach<K, T>;
  #waiting = new Map<K, PromiseWithResolvers<T>>();
  #asked: Selection['asked'];

  constructor(load: LoadEach<K, T>) {
    this.#load = load;
  }

  /** Where a fragment is selected with other fields beside it in some places, all is loaded, and not a load made of each. */
  load(key: K, asked?: Selection['asked']): Promise<T> {
    if (this.#waiting.size === 0) this.#asked = asked;
    else if (this.#asked !== asked) this.#asked = undefined;
    const known = this.#waiting.get(key);
    if (known) return known.promise;
    if (this.#waiting.size === 0) whenLevelIsComplete(() => void this.#run());
    const end = Promise.withResolvers<T>();
    this.#waiting.set(key, end);
    return end.promise;
  }

  async #run(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      const loaded = await this.#load([...waiting.keys()], this.#asked);
      let i = 0;
      for (const end of waiting.values()) settle(end, loaded[i++]!);
    } catch (error) {
      for (const end of waiting.values()) end.reject(error);
    }
  }
}

function settle<T>(end: PromiseWithResolvers<T>, loaded: T | ApiError): void {
  if (loaded instanceof ApiError) end.reject(loaded);
  else end.resolve(loaded);
}

/** Runs after the callbacks of all settled promises: by then, all parents of the level have called `load`. */
function whenLevelIsComplete(run: () => void): void {
  void Promise.resolve().then(() => process.nextTick(run));
}

/** The batches of one execution, by the field of the document, or what is selected of it. */
export type Batches = Map<FieldNode | Selection, unknown>;

/** The batch of a field, created on first use. */
export function batchOf<K, T>(batches: Batches, field: FieldNode | Selection, make: () => Batch<K, T>): Batch<K, T> {
  const known = batches.get(field) as Batch<K, T> | undefined;
  if (known) return known;
  const made = make();
  batches.set(field, made);
  return made;
}
