import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TRIGRAM } from '../../../descriptor/searches.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { ReadStatement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { SlowAnswer, SlowRead, ThreadData } from './slow-reader.ts';
import { storeError } from './sqlite-errors.ts';
import { wholeness } from './sqlite-search-parts.ts';

/** The thread's file, as source or as built. */
const THREAD = new URL(`./slow-reader${extname(import.meta.url)}`, import.meta.url);

type Rows = readonly (readonly StoredValue[])[];

/**
 * A thread for statements that may take long: the event loop does not wait for them. It is started when it is first needed,
 * and answers one statement after the other.
 */
export class SlowThread {
  readonly #data: ThreadData;
  readonly #translated: (error: unknown) => unknown;
  readonly #asked: PromiseWithResolvers<Rows>[] = [];
  #worker: Worker | undefined;

  constructor(data: ThreadData, translated = storeError) {
    this.#data = data;
    this.#translated = translated;
  }

  /** Throws `StoreError`. */
  all(read: SlowRead): Promise<Rows> {
    this.#worker ??= this.#start();
    // While there is nothing to read, the thread keeps no process alive.
    this.#worker.ref();
    const asked = Promise.withResolvers<Rows>();
    this.#asked.push(asked);
    this.#worker.postMessage(read);
    return asked.promise;
  }

  close(): Promise<unknown> | undefined {
    return this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { workerData: this.#data });
    worker.on('message', (answer: SlowAnswer) => {
      this.#settle(this.#asked.shift()!, answer);
      if (this.#asked.length === 0) worker.unref();
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the thread of slow reads has ended')));
    return worker;
  }

  #settle({ resolve, reject }: PromiseWithResolvers<Rows>, answer: SlowAnswer): void {
    if ('rows' in answer) resolve(answer.rows);
    else {
      const { message, errcode, missing } = answer;
      const error = Object.assign(new Error(message), { errcode });
      reject(
        missing === undefined ? this.#translated(error) : new StoreError({ kind: 'missing', what: missing }, error),
      );
    }
  }

  /** The next read starts another thread. */
  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#asked.splice(0)) reject(new StoreError({ kind: 'unavailable' }, error));
  }
}

/** A statement as the thread reads it: by the search index, if the text is long enough for it. */
export function slowRead(
  { name }: Table,
  { sql, slots, ahead, searched }: ReadStatement,
  values: readonly StoredValue[],
): SlowRead {
  const read = { statement: { sql, slots }, values, ahead };
  const text = searched && values[searched.slot];
  if (typeof text !== 'string' || [...text].length < TRIGRAM) return read;
  const { statement, probe, search } = searched!;
  return { ...read, searched: { statement, probe, text, wholeness: { sql: wholeness(name, search.name), slots: [] } } };
}
