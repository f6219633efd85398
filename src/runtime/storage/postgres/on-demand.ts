import { StoreError } from '../store-error.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** A connection that is made when it is first needed, and then kept. */
export class OnDemand {
  readonly connection: PostgresConnection;
  #opening: Promise<void> | undefined;

  constructor(connection: PostgresConnection) {
    this.connection = connection;
  }

  /** Throws `StoreError` `unavailable` when no connection can be made; the next call tries again. */
  async open(): Promise<PostgresConnection> {
    this.#opening ??= this.connection.open();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw new StoreError({ kind: 'unavailable' }, error);
    }
    return this.connection;
  }
}
