import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StoreError } from '../store-error.ts';
import { isPostgresError, isStale } from './postgres-errors.ts';

const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 500;

export interface LinkOptions {
  readonly url: string;
  /** Time for a connection to be made. */
  readonly connectTimeoutMs: number;
  /** A statement that runs for longer is cancelled by the server. */
  readonly statementTimeoutMs: number;
  /** Names of prepared statements, the same on all connections. */
  readonly nameOf: (sql: string) => string | undefined;
}

export type Wire = readonly (string | null)[];

export interface Answer {
  readonly rows: readonly Wire[];
  /** Rows read or changed. */
  readonly count: number;
  /** What the server says that it did: `SELECT`, `COMMIT`, `ROLLBACK`. */
  readonly command: string;
}

export type Query = (sql: string, values?: readonly unknown[]) => Promise<Answer>;

/** A transaction that is idle for so long belongs to a server that hangs; its locks must go. */
const IDLE_TRANSACTION_MS = 10_000;

/** Rows as arrays, and every value as the text that Postgres sends. */
const TEXT_ROWS = {
  rowMode: 'array' as const,
  types: { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig,
};

/** A client with its socket, which pg does not declare. */
type Client = pg.Client & {
  readonly connection: { readonly stream: { cork(): void; uncork(): void; destroy(): void } };
};

type Result = pg.QueryArrayResult<(string | null)[]>;

const answerOf = ({ rows, rowCount, command }: Result): Answer => ({ rows, count: rowCount ?? 0, command });

const notConnected = () => new StoreError({ kind: 'unavailable' }, new Error('not connected to Postgres'));

/**
 * One connection that comes back by itself. Statements are sent without waiting for those before (pipelining), and
 * those of one turn of the event loop in one piece. Without a connection a statement is refused at once.
 */
export class Link {
  readonly #options: LinkOptions;
  #client: Client | undefined;
  #isClosed = false;
  #isCorked = false;
  #pending = 0;
  #heardAt = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Statements sent and not answered. */
  get pending(): number {
    return this.#pending;
  }

  /** Throws what kept it from connecting. From then on it reconnects by itself. */
  async open(): Promise<void> {
    const { url, connectTimeoutMs, statementTimeoutMs } = this.#options;
    const settings = {
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      pipeline: true,
      keepAlive: true,
    };
    const client = new pg.Client({ ...settings, application_name: 'lockstep' } as pg.ClientConfig) as pg.Client &
      Client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    const hung = setTimeout(() => client.connection.stream.destroy(), connectTimeoutMs);
    try {
      await client.connect();
      await client.query(
        `set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1;
         set statement_timeout = ${statementTimeoutMs}; set idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
      );
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    } finally {
      clearTimeout(hung);
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }

  /**
   * Throws `StoreError` `unavailable` when there is no connection, and what Postgres refuses.
   * Without values the text may be several statements.
   */
  query: Query = (sql, values) => this.#send(this.#client, sql, values);

  /** The same, of the connection that there is now: it does not outlive it. */
  session(): Query {
    const client = this.#client;
    return (sql, values) => this.#send(this.#client === client ? client : undefined, sql, values);
  }

  #send(client: Client | undefined, sql: string, values: readonly unknown[] | undefined): Promise<Answer> {
    if (!client) return Promise.reject(notConnected());
    this.#cork(client);
    if (this.#pending === 0) this.#heardAt = performance.now();
    this.#pending += 1;
    const name = values && this.#options.nameOf(sql);
    const prepared = values && {
      values: values as unknown[],
      queryMode: 'extended',
      ...(name !== undefined && { name }),
    };
    return new Promise((resolve, reject) => {
      client.query({ text: sql, ...TEXT_ROWS, ...prepared }, (error: Error | null, result: Result | Result[]) => {
        this.#pending -= 1;
        this.#heardAt = performance.now();
        if (error) reject(this.#judged(error, client));
        else resolve(answerOf(Array.isArray(result) ? result.at(-1)! : result));
      });
    });
  }

  /** What Postgres refuses is itself; anything else that ends a connection means that there is none. */
  #judged(error: Error, client: Client): unknown {
    if (isStale(error)) this.drop();
    if (isPostgresError(error) || this.#client === client) return error;
    return new StoreError({ kind: 'unavailable' }, error);
  }

  /** Drops a connection whose server has said nothing for so long though it was asked. */
  checkAlive(silenceMs: number): void {
    if (this.#pending > 0 && performance.now() - this.#heardAt > silenceMs) this.drop();
  }

  /** Ends the connection; what was asked is refused. */
  drop(): void {
    const client = this.#client;
    if (!client) return;
    client.connection.stream.destroy();
    this.#lost(client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !this.#isClosed && !this.#client; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      await delay(waitMs, undefined, { ref: false });
      try {
        if (!this.#isClosed) await this.open();
      } catch {
        // Told by what asks for the connection.
      }
    }
  }

  #cork({ connection: { stream } }: Client): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}
