import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../../../descriptor/config-error.ts';

/** Where it is reported what becomes of connections. */
export interface DatabaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Whether a database can be reached, as far as the connections to it know. Logs why they fail: each reason once as long
 * as any of them does, and that all are back.
 */
export class Outage {
  readonly #log: DatabaseLog | undefined;
  readonly #failing = new Set<object>();
  readonly #reasons = new Set<string>();
  #attempts = 0;
  #making = new AbortController();
  /** It did not answer, or the last attempt to connect failed, and no connection has been made since. */
  isDown = false;

  constructor(log: DatabaseLog | undefined) {
    this.#log = log;
  }

  /** Aborted when the next connection is made. */
  get made(): AbortSignal {
    return this.#making.signal;
  }

  /** Waits before another attempt: as soon as any connection is made it need not last longer than `leastMs`. */
  async pause(leastMs: number, mostMs: number): Promise<void> {
    const signal = this.made;
    await delay(leastMs, undefined, { ref: false });
    await delay(mostMs - leastMs, undefined, { ref: false, signal }).catch(() => {});
  }

  failed(connection: object, error: unknown): void {
    const why = reasonOf(error);
    this.isDown = true;
    this.#failing.add(connection);
    this.#attempts += 1;
    if (this.#reasons.has(why)) return;
    this.#reasons.add(why);
    this.#log?.warn({ why, attempts: this.#attempts }, 'Postgres cannot be reached');
  }

  connected(connection: object): void {
    this.isDown = false;
    this.#making.abort();
    this.#making = new AbortController();
    if (!this.#failing.delete(connection) || this.#failing.size > 0) return;
    this.#log?.info({ attempts: this.#attempts }, 'Postgres is reached again');
    this.#reasons.clear();
    this.#attempts = 0;
  }
}
