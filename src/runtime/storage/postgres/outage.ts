import { reasonOf } from '../../../descriptor/config-error.ts';

/** Where it is reported what becomes of connections. */
export interface DatabaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Logs why connections fail: each reason once as long as any of them does, and that all are back. */
export class Outage {
  readonly #log: DatabaseLog | undefined;
  readonly #failing = new Set<object>();
  readonly #reasons = new Set<string>();
  #attempts = 0;

  constructor(log: DatabaseLog | undefined) {
    this.#log = log;
  }

  failed(connection: object, error: unknown): void {
    const why = reasonOf(error);
    this.#failing.add(connection);
    this.#attempts += 1;
    if (this.#reasons.has(why)) return;
    this.#reasons.add(why);
    this.#log?.warn({ why, attempts: this.#attempts }, 'Postgres cannot be reached');
  }

  connected(connection: object): void {
    if (!this.#failing.delete(connection) || this.#failing.size > 0) return;
    this.#log?.info({ attempts: this.#attempts }, 'Postgres is reached again');
    this.#reasons.clear();
    this.#attempts = 0;
  }
}
