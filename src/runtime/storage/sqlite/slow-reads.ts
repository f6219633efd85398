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

export interface SlowReadsOptions {
  /** How long a read waits for its turn. */
  readonly waitTimeoutMs: number;
  /** Number of reads that may wait. */
  readonly maxWaiting: number;
  /** They may also delete, by `delete … returning`; how long one waits for the lock of the file. */
  readonly writeTimeoutMs?: number;
}

interface Waiter {
  readonly read: SlowRead;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
  readonly until: number;
}

/** Reads that may take long, in a thread of their own, one after the other: the event loop does not wait for them. */
export class SlowReads {
  readonly #file: string;
  readonly #options: SlowReadsOptions;
  readonly #waiting: Waiter[] = [];
  #thread: Worker | undefined;
  #running: Waiter | undefined;
  #check: NodeJS.Timeout | undefined;

  constructor(file: string, options: SlowReadsOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Throws `StoreError` `unavailable` when there is no turn in time. */
  all(read: SlowRead): Promise<Rows> {
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(tooBusy());
    const until = performance.now() + this.#options.waitTimeoutMs;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ read, resolve, reject, until });
      this.#next();
    });
  }

  close(): Promise<unknown> | undefined {
    clearTimeout(this.#check);
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    const thread = this.#thread;
    this.#thread = undefined;
    return thread?.terminate();
  }

  #next(): void {
    clearTimeout(this.#check);
    if (!this.#running) this.#run(this.#waiting.shift());
    this.#watchFirst();
  }

  /** While there is nothing to read, the thread keeps no process alive. */
  #run(waiter: Waiter | undefined): void {
    this.#running = waiter;
    if (waiter) {
      this.#thread ??= this.#start();
      this.#thread.ref();
      this.#thread.postMessage(waiter.read);
    } else this.#thread?.unref();
  }

  /** They wait equally long: the first that has waited too long is the first of the queue. */
  #watchFirst(): void {
    const first = this.#waiting[0];
    if (!first) return;
    this.#check = setTimeout(() => {
      if (first === this.#waiting[0]) this.#waiting.shift()!.reject(tooBusy());
      this.#next();
    }, first.until - performance.now());
  }

  #start(): Worker {
    const { writeTimeoutMs } = this.#options;
    const thread = new Worker(THREAD, { workerData: { file: this.#file, writeTimeoutMs } satisfies ThreadData });
    thread.on('message', (answer: SlowAnswer) => this.#settle((waiter) => settle(waiter, answer)));
    thread.on('error', (error) => this.#lost(thread, error));
    thread.on('exit', () => this.#lost(thread, new Error('the thread of slow reads has ended')));
    return thread;
  }

  /** The next read starts another thread. */
  #lost(thread: Worker, error: unknown): void {
    if (this.#thread === thread) this.#thread = undefined;
    this.#settle(({ reject }) => reject(new StoreError({ kind: 'unavailable' }, error)));
  }

  #settle(settle: (waiter: Waiter) => void): void {
    const waiter = this.#running;
    this.#running = undefined;
    if (waiter) settle(waiter);
    this.#next();
  }
}

function settle({ resolve, reject }: Waiter, answer: SlowAnswer): void {
  if ('rows' in answer) resolve(answer.rows);
  else reject(storeError(Object.assign(new Error(answer.message), { errcode: answer.errcode })));
}

const closed = (): StoreError => new StoreError({ kind: 'unavailable' }, new Error('the database is closed'));

const tooBusy = (): StoreError =>
  new StoreError({ kind: 'unavailable' }, new Error('too many expensive reads are waiting'));

/** A statement as the thread reads it: by the search index, if the text is long enough for it. */
export function slowRead(
  { name }: Table,
  { sql, slots, searched }: ReadStatement,
  values: readonly StoredValue[],
): SlowRead {
  const read = { statement: { sql, slots }, values };
  const text = searched && values[searched.slot];
  if (typeof text !== 'string' || [...text].length < TRIGRAM) return read;
  const { statement, probe, search } = searched!;
  return { ...read, searched: { statement, probe, text, wholeness: { sql: wholeness(name, search.name), slots: [] } } };
}
