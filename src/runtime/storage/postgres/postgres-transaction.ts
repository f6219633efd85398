import { createHash } from 'node:crypto';
import type { Table } from '../../../descriptor/table.ts';
import { bind, type Statement } from '../statements/statement.ts';
import type { Reader, Row, StoredValue, Transaction } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Answer, Query } from './link.ts';
import { isConflict, storeError } from './postgres-errors.ts';
import { PostgresReader, type PostgresTable, type PostgresTables } from './postgres-reader.ts';
import type { Session } from './session.ts';
import { encode } from './values.ts';

const CLAIM = { sql: 'select pg_try_advisory_xact_lock($1::bigint)', slots: [0] };
const RECALL = { sql: 'select value from lockstep_memory where key = $1 and expires_at > $2', slots: [0, 1] };
const REMEMBER = {
  sql: `insert into lockstep_memory (key, value, expires_at) values ($1, $2, $3)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  slots: [0, 1, 2],
};

/** Statements that also lock what they read, by what they are made of. */
const locking = new WeakMap<Statement, Statement>();

/**
 * One transaction on one connection. With savepoints, a write that is refused is undone alone, so that the rest can go
 * on; without them, which is faster, it ends all.
 */
export class PostgresTransaction extends PostgresReader implements Transaction {
  readonly unlocked: Reader;
  readonly #session: Session;
  readonly #hasSavepoints: boolean;
  readonly #forget: (now: Date) => void;
  #writing: Promise<unknown> | undefined;

  /** `forget` is told when what has expired may go. */
  constructor(tables: PostgresTables, session: Session, hasSavepoints: boolean, forget: (now: Date) => void) {
    const query: Query = (sql, values) => session.query(sql, values);
    super(tables, query);
    this.unlocked = new PostgresReader(tables, query);
    this.#session = session;
    this.#hasSavepoints = hasSavepoints;
    this.#forget = forget;
  }

  insert(resource: string, row: Row): Promise<Row> {
    const table = this.table(resource);
    const { columns } = table.statements.table;
    const values = columns.map((column, i) => encode(column, row[i]!));
    return this.#write(table, row, table.statements.insert, values);
  }

  async insertAll(resource: string, rows: readonly Row[]): Promise<void> {
    const { statements } = this.table(resource);
    for (let first = 0; first < rows.length; first += BATCH)
      await this.#guarded(insertEach(statements.table), [
        recordsOf(statements.table, rows.slice(first, first + BATCH)),
      ]);
  }

  update(resource: string, row: Row, changed: readonly string[]): Promise<Row> {
    const table = this.table(resource);
    const { statements } = table;
    const columns = statements.table.columns;
    const encoded = row.map((value, i) => encode(columns[i]!, value));
    return this.#write(table, row, statements.update(changed), statements.updated(encoded, changed));
  }

  async delete(resource: string, id: string): Promise<boolean> {
    const { statements } = this.table(resource);
    const { count } = await this.#guarded(statements.delete, [encode(statements.table.column.get('id')!, id)]);
    return count > 0;
  }

  async deferReferences(): Promise<void> {
    await this.#session.query('set constraints all deferred');
  }

  async claim(key: string): Promise<boolean> {
    const { rows } = await this.execute(CLAIM, [lockOf(key)]);
    return rows[0]![0] === 't';
  }

  async recall(key: string, now: Date): Promise<string | undefined> {
    const { rows } = await this.execute(RECALL, [key, now.toISOString()]);
    return rows[0]?.[0] ?? undefined;
  }

  async remember(
    key: string,
    text: string,
    { now, expires }: { readonly now: Date; readonly expires: Date },
  ): Promise<void> {
    this.#forget(now);
    await this.execute(REMEMBER, [key, text, expires.toISOString()]);
  }

  protected override reading(statement: Statement): Statement {
    const known = locking.get(statement);
    if (known) return known;
    const made = { ...statement, sql: `${statement.sql} for no key update` };
    locking.set(statement, made);
    return made;
  }

  async #write(table: PostgresTable, row: Row, statement: Statement, values: readonly StoredValue[]): Promise<Row> {
    const { columns } = table.statements.table;
    // A UUID that is none can refer to nothing.
    const dangles = columns.some(
      ({ references }, i) => references && row[i] !== null && encode(columns[i]!, row[i]!) === null,
    );
    if (dangles) throw new StoreError({ kind: 'reference' }, new Error('not a UUID'));
    const { rows } = await this.#guarded(returning(table, statement), values, table);
    return rows[0] ? table.decode(rows[0]) : row;
  }

  /** One after the other: each is undone by itself, or undoes all. */
  #guarded(statement: Statement, values: readonly StoredValue[], table?: PostgresTable): Promise<Answer> {
    const write = () => this.#attempt(statement, values, table);
    const written = this.#writing ? this.#writing.then(write, write) : write();
    this.#writing = written;
    return written;
  }

  async #attempt({ sql, slots }: Statement, values: readonly StoredValue[], table?: PostgresTable): Promise<Answer> {
    const session = this.#session;
    if (this.#hasSavepoints) session.owe('savepoint write');
    try {
      const answer = await session.query(sql, bind(slots, values));
      if (this.#hasSavepoints) session.owe('release savepoint write');
      return answer;
    } catch (error) {
      if (isConflict(error)) throw error;
      if (this.#hasSavepoints) {
        session.owe('rollback to savepoint write');
        session.owe('release savepoint write');
      } else session.restart();
      throw storeError(error, (key) => table?.uniques.get(key) ?? []);
    }
  }
}

const BATCH = 500;

/** One statement for many rows: the argument is a JSON array of objects by column. */
function insertEach({ name, columns }: Table): Statement {
  const list = columns.map(({ column }) => `"${column}"`).join(', ');
  const rows = `jsonb_populate_recordset(null::"${name}", $1::jsonb)`;
  return { sql: `insert into "${name}" (${list}) select ${list} from ${rows}`, slots: [0] };
}

function recordsOf({ columns }: Table, rows: readonly Row[]): string {
  const plain = columns.map(({ type }) => type !== 'json');
  const records = rows.map((row) => {
    const values = columns.map((column, i) => {
      const value = encode(column, row[i]!);
      return `${JSON.stringify(column.column)}:${plain[i] ? JSON.stringify(value) : value}`;
    });
    return `{${values.join()}}`;
  });
  return `[${records.join()}]`;
}

const returned = new WeakMap<Statement, Statement>();

/** The statement, which also answers the row as it is now kept. */
function returning({ statements: { table } }: PostgresTable, statement: Statement): Statement {
  const known = returned.get(statement);
  if (known) return known;
  const columns = table.columns.map(({ column }) => `"${column}"`).join(', ');
  const made = { ...statement, sql: `${statement.sql} returning ${columns}` };
  returned.set(statement, made);
  return made;
}

/** An advisory lock's number: 64 bits of the key's hash. */
const lockOf = (key: string): string => createHash('sha256').update(key).digest().readBigInt64BE().toString();
