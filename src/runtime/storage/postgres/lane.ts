import { StoreError } from '../store-error.ts';
import { OnDemand } from './on-demand.ts';
import type { Answer, PostgresConnection } from './postgres-connection.ts';

export interface LaneOptions {
  /** What a statement may wait for its turn; as long again it may run. */
  readonly waitTimeoutMs: number;
  /** Number of statements that may wait. */
  readonly maxWaiting: number;
}

interface Waiter {
  readonly table: string;
  readonly start: (connection: OnDemand) => void;
  readonly reject: (error: StoreError) => void;
  readonly until: number;
}

/**
 * Connections for reads that may take long, apart from those that all other reads share. One statement at a time on each
 * of them; those of one table leave a connection to the other tables, if there is more than one.
 */
export class Lane {
  readonly #connections: readonly OnDemand[];
  readonly #options: LaneOptions;
  readonly #busy = new Map<OnDemand, string>();
  readonly #waiting: Waiter[] = [];

  constructor(connections: readonly PostgresConnection[], options: LaneOptions) {
    this.#connections = connections.map((connection) => new OnDemand(connection));
    this.#options = options;
  }

  /** Throws `StoreError` `unavailable` when there is no turn in time, and the error of Postgres. */
  async read(table: string, sql: string, values?: readonly unknown[], opening?: string): Promise<Answer> {
    const connection = await this.#turn(table);
    try {
      return await (await connection.open()).query(sql, values, opening);
    } finally {
      this.#busy.delete(connection);
      this.#next();
    }
  }

  /** Ends the waits that have lasted too long. */
  check(): void {
    const now = performance.now();
    while (this.#waiting[0] && this.#waiting[0].until < now) this.#waiting.shift()!.reject(tooBusy());
  }

  #turn(table: string): Promise<OnDemand> {
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(tooBusy());
    const until = performance.now() + this.#options.waitTimeoutMs;
    return new Promise((start, reject) => {
      this.#waiting.push({ table, start, reject, until });
      this.#next();
    });
  }

  #next(): void {
    for (let i = 0; i < this.#waiting.length; ) {
      const waiter = this.#waiting[i]!;
      const free = this.#connections.find((connection) => !this.#busy.has(connection));
      if (!free) return;
      if (this.#isFull(waiter.table)) {
        i++;
        continue;
      }
      this.#busy.set(free, waiter.table);
      this.#waiting.splice(i, 1);
      waiter.start(free);
    }
  }

  #isFull(table: string): boolean {
    const used = [...this.#busy.values()].filter((one) => one === table).length;
    return used >= Math.max(1, this.#connections.length - 1);
  }
}

const tooBusy = (): StoreError =>
  new StoreError({ kind: 'unavailable' }, new Error('too many expensive reads are waiting'));
