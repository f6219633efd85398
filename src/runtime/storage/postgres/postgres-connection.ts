import { StoreError } from '../store-error.ts';
import { type Answer, answerOf, type Query, type Result, TEXT_ROWS } from './answer.ts';
import { Outage } from './outage.ts';
import { postgresAddress } from './postgres-address.ts';
import { isNoSuchStatement, isPostgresError, needsNewConnection } from './postgres-errors.ts';
import { type Client, openSession } from './postgres-session.ts';
import { searchPath, sessionParameters } from './session-parameters.ts';
import { GroupQuery, type PreparedStatement, TextQuery } from './text-query.ts';

const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 500;

export interface PostgresConnectionOptions {
  readonly url: string;
  /** Limit for making a connection. */
  readonly connectTimeoutMs: number;
  /** Postgres cancels statements that run longer. */
  readonly statementTimeoutMs: number;
  /** Parameters of its session, by name, beside those that all connections have. */
  readonly session?: Readonly<Record<string, string | number>>;
  /** Whether prepared statements are planned once, without their values; false if left out. */
  readonly plansOnce?: boolean;
  /** The name under which a statement is prepared, the same on all connections; undefined when it is not prepared. */
  readonly nameOf: (sql: string) => string | undefined;
  /** What the connections to this database know of it; by itself when left out. */
  readonly outage?: Outage;
}

const NOT_CONNECTED = new Error('not connected to Postgres');

const PLANNED_ONCE = 'plan_cache_mode = force_generic_plan';

/**
 * One connection that reconnects by itself. Statements are pipelined: each is sent without waiting for earlier
 * answers, and those of one turn of the event loop in one write. Without a connection, statements wait for the next
 * attempt to make one; while the database is known to be down, they fail at once.
 */
export class PostgresConnection {
  readonly #options: PostgresConnectionOptions;
  readonly #parameters: readonly string[];
  readonly #schema: string | undefined;
  readonly #outage: Outage;
  #client: Client | undefined;
  /** Why the connection is missing, as far as that is known. */
  #fault: unknown = NOT_CONNECTED;
  #isPooled = false;
  #plansOnce: boolean;
  #isClosed = false;
  #isCorked = false;
  #pending = 0;
  /** Settled by the next attempt to connect that counts; undefined while none is made. */
  #attempt: PromiseWithResolvers<void> | undefined;
  #awaiting = 0;
  #lastAnswerAt = 0;
  /** Why a statement could not be prepared, by its name. */
  readonly #preparation = new Map<string, Error>();

  constructor(options: PostgresConnectionOptions) {
    this.#options = options;
    this.#parameters = sessionParameters(options.statementTimeoutMs, options.session);
    this.#schema = postgresAddress(options.url)?.schema;
    this.#plansOnce = options.plansOnce ?? false;
    this.#outage = options.outage ?? new Outage(undefined);
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Number of statements that are not answered yet. */
  get pending(): number {
    return this.#pending + this.#awaiting;
  }

  /** The server process behind the present connection; undefined when a pooler decides which one that is. */
  get processId(): number | undefined {
    return this.#isPooled ? undefined : this.#client?.processID;
  }

  /** Connects, and from then on reconnects by itself. Throws the error that prevented the connection. */
  async open(): Promise<void> {
    const { url, connectTimeoutMs } = this.#options;
    const parameters = [
      "default_transaction_isolation = 'read committed'",
      ...this.#parameters,
      ...(this.#plansOnce ? [PLANNED_ONCE] : []),
    ];
    const settings = [...parameters.map((parameter) => `set ${parameter}`), ...this.#searchPath(false)].join('; ');
    const { client, isPooled } = await openSession({ url, connectTimeoutMs, settings });
    // The server may have ended it behind its last answer, before anybody listened.
    if (client.connection.stream.destroyed) throw NOT_CONNECTED;
    this.#isPooled = isPooled;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    if (this.#isClosed) return client.end();
    this.#client = client;
    this.#outage.connected(this);
    this.#attempted();
  }

  /** Changes `plansOnce`. Behind a pooler nothing is prepared. */
  async planOnce(plansOnce: boolean): Promise<void> {
    this.#plansOnce = plansOnce;
    if (this.#client && !this.#isPooled) await this.query(`set ${plansOnce ? PLANNED_ONCE : 'plan_cache_mode = auto'}`);
  }

  /**
   * Runs a statement, or several if it has no values. Throws `StoreError` `unavailable` when no connection can be made,
   * and the error of Postgres when it refuses the statement.
   */
  query: Query = (sql, values, opening) => {
    if (!this.#client && this.#attempt && !this.#outage.isDown) return this.#afterAttempt(sql, values, opening);
    return this.#query(sql, values, opening);
  };

  async #afterAttempt(...statement: Parameters<Query>): Promise<Answer> {
    this.#awaiting += 1;
    await this.#attempt?.promise;
    this.#awaiting -= 1;
    return this.#query(...statement);
  }

  #query(...[sql, values, opening]: Parameters<Query>): Promise<Answer> {
    const client = this.#client;
    const isAlone = this.#isPooled || opening !== undefined;
    return isAlone ? this.#alone(client, sql, values, opening) : this.#send(client, sql, values);
  }

  /** A `query` that is bound to the present connection, and fails after a reconnect. */
  pinnedQuery(): Query {
    const client = this.#client;
    return (sql, values) => this.#send(this.#client === client ? client : undefined, sql, values);
  }

  /** Whether the present connection is one to a pooler: parameters and prepared statements do not outlive a transaction. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /**
   * A statement that begins a transaction with the parameters of the session. Undefined when each statement is to be
   * committed by itself, and has the parameters all the same. `opening`: further statements to begin with.
   */
  beginning(begin: string | undefined, opening?: string): string | undefined {
    if (!this.#isPooled && opening === undefined) return begin;
    const parameters = this.#isPooled
      ? [...this.#parameters.map((parameter) => `set local ${parameter}`), ...this.#searchPath(true)]
      : [];
    const first = begin === undefined || begin === 'begin' ? 'begin isolation level read committed' : begin;
    return [first, ...parameters, ...(opening === undefined ? [] : [opening])].join('; ');
  }

  #searchPath(isLocal: boolean): readonly string[] {
    return this.#schema === undefined ? [] : [searchPath(this.#schema, isLocal)];
  }

  /**
   * One statement in a transaction with the parameters of the session; takes no more time on the way than the
   * statement.
   */
  async #alone(
    client: Client | undefined,
    sql: string,
    values?: readonly unknown[],
    opening?: string,
  ): Promise<Answer> {
    this.#send(client, this.beginning(undefined, opening)!, undefined).catch(() => {});
    const answering = this.#send(client, sql, values);
    const ending = this.#send(client, 'commit', undefined);
    ending.catch(() => {});
    const answer = await answering;
    await ending;
    return answer;
  }

  /** Statements under their names; undefined unless all of them are prepared. */
  prepared(statements: readonly { readonly sql: string; readonly values: readonly unknown[] }[]) {
    const prepared: PreparedStatement[] = [];
    for (const { sql, values } of statements) {
      const name = this.#options.nameOf(sql);
      if (name === undefined || this.#client?.connection.parsedStatements[name] === undefined) return undefined;
      prepared.push({ name, values });
    }
    return prepared;
  }

  /** Runs prepared statements in one transaction. Throws like `query`; nothing is done then, except if it is `unavailable`. */
  together(prepared: readonly PreparedStatement[]): Promise<readonly Answer[]> {
    const client = this.#client;
    if (!client) return Promise.reject(this.#unavailable());
    return new Promise((resolve, reject) => {
      const group = new GroupQuery(prepared, (error, answers) => settle(error, () => answers));
      const settle = this.#sending(client, resolve, reject);
      client.query(group);
    });
  }

  #send(client: Client | undefined, sql: string, values: readonly unknown[] | undefined): Promise<Answer> {
    if (!client) return Promise.reject(this.#unavailable());
    const name = values && !this.#isPooled ? this.#options.nameOf(sql) : undefined;
    return new Promise((resolve, reject) => {
      const prepared = values && new TextQuery(sql, name ?? '', values, (error, answer) => settle(error, () => answer));
      const settle = this.#sending(client, resolve, reject, name);
      if (prepared) client.query(prepared);
      else
        client.query({ text: sql, ...TEXT_ROWS }, (error: Error | null, result: Result) =>
          settle(error, () => answerOf(result)),
        );
    });
  }

  /** Called before a statement is sent; returns what settles its promise. */
  #sending<T>(client: Client, resolve: (answer: T) => void, reject: (error: unknown) => void, name?: string) {
    this.#cork(client);
    if (this.#pending === 0) this.#lastAnswerAt = performance.now();
    this.#pending += 1;
    return (error: Error | null | undefined, answer: () => T): void => {
      this.#pending -= 1;
      this.#lastAnswerAt = performance.now();
      if (error) reject(this.#translated(this.#firstCause(error, name, client), client));
      else resolve(answer());
    };
  }

  #unavailable(): StoreError {
    return new StoreError({ kind: 'unavailable' }, this.#fault);
  }

  /**
   * Statements of one name that were sent at once share its preparation. When that fails, Postgres answers to the others that there
   * is no such statement; they failed for the reason of the first.
   */
  #firstCause(error: Error, name: string | undefined, client: Client): Error {
    if (name === undefined || client.connection.parsedStatements[name] !== undefined) return error;
    if (isNoSuchStatement(error)) return this.#preparation.get(name) ?? error;
    this.#preparation.set(name, error);
    return error;
  }

  /** Errors of Postgres are returned as they are; any other error that ended the connection means `unavailable`. */
  #translated(error: Error, client: Client): unknown {
    if (needsNewConnection(error)) this.drop();
    if (isPostgresError(error) || this.#client === client) return error;
    return new StoreError({ kind: 'unavailable' }, error);
  }

  /** Drops the connection when statements are pending and the server has not answered for `silenceMs`. */
  checkAlive(silenceMs: number): void {
    if (!this.#client || this.#pending === 0 || performance.now() - this.#lastAnswerAt <= silenceMs) return;
    this.#outage.isDown = true;
    this.drop();
  }

  /** Closes the socket; pending statements fail. */
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
    this.#attempted();
    await client?.end();
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#fault = NOT_CONNECTED;
    this.#attempt = Promise.withResolvers();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !this.#isClosed && !this.#client; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      await this.#outage.pause(FIRST_RETRY_MS, waitMs);
      const { made } = this.#outage;
      try {
        if (!this.#isClosed) await this.open();
      } catch (error) {
        // For those who need the connection meanwhile.
        this.#fault = error;
        // Another has been made since it began: the next attempt shows more.
        if (made.aborted) continue;
        this.#outage.failed(this, error);
        this.#attempted();
      }
    }
  }

  #attempted(): void {
    this.#attempt?.resolve();
    this.#attempt = this.#client || this.#isClosed ? undefined : Promise.withResolvers();
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
