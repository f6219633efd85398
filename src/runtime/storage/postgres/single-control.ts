import type { Answer } from './answer.ts';
import { type Lease, Withdrawn } from './lease.ts';
import type { TransactionConnections, Waiting } from './transaction-connections.ts';
import { type Control, type TableStatement, TransactionControl } from './transaction-control.ts';

const AUTOCOMMIT = { begin: undefined, opening: undefined, hasSavepoints: false };

/**
 * Runs a write that commits alone. Its insert may share a connection with other inserts; the first of any other statements
 * acquires a connection, which it keeps.
 */
export class SingleControl implements Control {
  readonly #connections: TransactionConnections;
  readonly #write: Waiting;
  #leasing: Promise<TransactionControl> | undefined;
  #lease: Lease | undefined;
  #control: TransactionControl | undefined;
  #position: Promise<bigint | undefined> | undefined;

  constructor(connections: TransactionConnections, write: Waiting) {
    this.#connections = connections;
    this.#write = write;
  }

  async query(sql: string, values?: readonly unknown[]): Promise<Answer> {
    return (await this.#leased()).query(sql, values);
  }

  async read(statement: TableStatement): Promise<Answer> {
    return (await this.#leased(statement.table)).read(statement);
  }

  async write(statement: TableStatement): Promise<Answer> {
    return (await this.#leased(statement.table)).write(statement);
  }

  async insert(statement: TableStatement): Promise<Answer> {
    // A write that waits for a second connection might wait for itself.
    if (this.#leasing) return this.write(statement);
    this.#write.tables.add(statement.table);
    const { answer, position } = await this.#connections.insert(statement, this.#write);
    this.#position = position;
    return answer;
  }

  /** A position behind the commit; undefined if it was not requested. */
  get position(): Promise<bigint | undefined> | undefined {
    return this.#position ?? this.#control?.position;
  }

  /** Why the write must run again, whatever its work made of the error. */
  get withdrawn(): Withdrawn | undefined {
    return this.#lease?.withdrawn;
  }

  /** The first conflict with another transaction. */
  get conflict(): unknown {
    return this.#control?.conflict;
  }

  release(): void {
    const release = (): void => {
      if (this.#lease) this.#connections.release(this.#lease);
    };
    if (this.#lease) release();
    else void this.#leasing?.then(release, release);
  }

  #leased(table?: string): Promise<TransactionControl> {
    if (table !== undefined) this.#write.tables.add(table);
    this.#leasing ??= this.#acquired();
    return this.#leasing;
  }

  /** Throws `Withdrawn` for a connection to a pooler, where a write needs a transaction. */
  async #acquired(): Promise<TransactionControl> {
    const { caller, deadlineMs, tables } = this.#write;
    const lease = await this.#connections.acquire(tables, deadlineMs, caller);
    this.#lease = lease;
    if (lease.connection.isPooled) throw new Withdrawn([...tables].join());
    this.#control = new TransactionControl(lease, { ...AUTOCOMMIT, asksPosition: this.#connections.isOneLeased });
    return this.#control;
  }
}
