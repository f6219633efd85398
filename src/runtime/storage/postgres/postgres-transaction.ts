import { createHash } from 'node:crypto';
import { lookUp } from '../../../descriptor/look-up.ts';
import { quote } from '../../../descriptor/migration/literal.ts';
import { countOn } from '../../../descriptor/migration/postgres-schema.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { positionOf, type Table } from '../../../descriptor/table.ts';
import { acrossTransaction } from '../across-tenants.ts';
import { type JobWrites, RowAltered } from '../jobs.ts';
import { importOwnRows } from '../migration/own-rows.ts';
import { ALL_ROWS, ofTenant, type RowScope, tenantAs } from '../row-scope.ts';
import { bind } from '../statements/shapes.ts';
import type { Statement } from '../statements/statement.ts';
import type { Clauses } from '../statements/table-statements.ts';
import type { Along, Condition, OwnRows, Reader, Row, StoredValue, Transaction } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type WallOf, walledTransaction } from '../tenant-wall.ts';
import { type Answer, singleValue } from './answer.ts';
import { eventValues, isAltered, withEvent } from './event-statements.ts';
import { MappedRows } from './mapped-rows.ts';
import { isConflict, storeError } from './postgres-errors.ts';
import { postgresJobWrites } from './postgres-jobs.ts';
import { eachOf, PostgresReader, type PostgresTable, type PostgresTables, type Read } from './postgres-reader.ts';
import type { Control } from './transaction-control.ts';
import { compared, encode, recordsOf } from './values.ts';

const CLAIM = { sql: 'select pg_try_advisory_xact_lock($1::bigint)', slots: [0] };
const LOCK = { sql: 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key', slots: [0] };
const RECALL = { sql: 'select value from lockstep_memory where key = $1 and expires_at > $2', slots: [0, 1] };
const REMEMBER = {
  sql: `insert into lockstep_memory (key, value, expires_at) values ($1, $2, $3)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  slots: [0, 1, 2],
};

/** Clauses of a transaction's statements: `get` and `list` lock what they read, writes answer the row as it is stored. */
export function transactionClauses({ columns, selected, descriptor: { actions } }: Table): Clauses {
  const write = ` returning ${columns.map(({ column }) => quote(column)).join(', ')}`;
  // Locks take a right to a table of others that a role need not have.
  const isLocked = !selected || actions.update || actions.replace || actions.delete;
  return isLocked ? { select: ' for no key update', write } : { write };
}

/** What a transaction has, whichever rows are in reach. */
export interface TransactionParts {
  /** With statements that have `transactionClauses`. */
  readonly tables: PostgresTables;
  /** The same without. */
  readonly unlockedTables: PostgresTables;
  readonly control: Control;
  readonly wallOf: WallOf | undefined;
  /** What sets the scope of row-level security; undefined without. */
  readonly openingOf: (scope: RowScope) => string | undefined;
  /** The tables by resource, if keys begin with the tenant. */
  readonly byTenant: ReadonlyMap<string, Table> | undefined;
}

/** One transaction. */
export class PostgresTransaction extends PostgresReader implements Transaction {
  readonly unlocked: Reader;
  readonly #parts: TransactionParts;
  readonly #control: Control;
  readonly #scope: RowScope;
  readonly #opening: string | undefined;
  #jobs: JobWrites | undefined;

  constructor(parts: TransactionParts, scope: RowScope, opening: string | undefined) {
    const { control } = parts;
    const read: Read = ({ name: table }, _isBounded, sql, values) => control.read({ table, sql, values, opening });
    super(parts.tables, read);
    this.unlocked = new PostgresReader(parts.unlockedTables, read);
    this.#parts = parts;
    this.#control = control;
    this.#scope = scope;
    this.#opening = opening;
  }

  /** Few transactions write any. */
  get jobs(): JobWrites {
    this.#jobs ??= postgresJobWrites((sql, values) => this.#control.query(sql, values));
    return this.#jobs;
  }

  within(scope: RowScope): Transaction {
    const { byTenant, openingOf, wallOf } = this.#parts;
    const opening = openingOf(scope);
    const isSame = opening === this.#opening && (!byTenant || scope === this.#scope);
    const own = isSame ? this : new PostgresTransaction(this.#parts, scope, opening);
    if (!byTenant || scope.kind !== 'all') return walledTransaction(own, wallOf?.(scope));
    return acrossTransaction(own, { tables: byTenant, of: (tenant) => this.within(ofTenant(tenant)) });
  }

  whereReferred(resource: string): Transaction {
    const isOwn = this.#parts.byTenant?.get(resource)?.tenant !== undefined;
    return this.within(isOwn ? this.#scope : ALL_ROWS);
  }

  insert(resource: string, row: Row, { given = {}, event }: Along = {}): Promise<Row> {
    const table = this.table(resource);
    if (table.mapped) return this.#mapped(table, table.mapped).insert(row, given);
    const { columns, stored } = table.statements.table;
    const values = columns.map((column, i) => encode(column, row[i]!));
    const [hidden] = stored.slice(columns.length);
    if (hidden && this.#scope.kind === 'tenant') values.push(encode(hidden, tenantAs(hidden.type, this.#scope.tenant)));
    const { insert, insertCounted } = table.statements;
    if (!insertCounted) return this.#inserted(table, row, ...heard(table, insert, values, event), 'insert');
    if (row[positionOf(table.statements.table, 'id')] === null)
      return this.#inserted(table, row, insertCounted, values);
    return this.#inserted(table, row, insert, values).then(async (kept) => {
      await this.#countOn(table);
      return kept;
    });
  }

  async insertAll(resource: string, rows: readonly Row[], tenants?: readonly (Id | undefined)[]): Promise<void> {
    const table = this.table(resource);
    const { statements } = table;
    for (let first = 0; first < rows.length; first += BATCH)
      await this.#send(
        insertEach(statements.table, tenants !== undefined),
        [recordsOf(statements.table, rows.slice(first, first + BATCH), tenants?.slice(first, first + BATCH))],
        table,
      );
    if (statements.insertCounted && rows.length > 0) await this.#countOn(table);
  }

  /** Rows have been inserted with their ids. */
  async #countOn(table: PostgresTable): Promise<void> {
    await this.#send({ sql: countOn(table.statements.table.name), slots: [] }, [], table);
  }

  update(
    resource: string,
    row: Row,
    changed: readonly string[],
    conditions: readonly Condition[] = [],
    { given = {}, event }: Along = {},
  ): Promise<Row | undefined> {
    const table = this.table(resource);
    const { statements } = table;
    if (table.mapped) return this.#mapped(table, table.mapped).update(row, changed, conditions, given);
    const columns = statements.table.columns;
    const encoded = row.map((value, i) => encode(columns[i]!, value));
    const values = this.valuesOf(statements.table, conditions, encoded);
    return this.#write(table, row, ...heard(table, statements.update(changed, conditions), values, event));
  }

  /** By the lock that foreign keys wait for: they let pass the one that `get` takes. */
  async lockReferences(resource: string, id: Id, conditions: readonly Condition[] = []): Promise<void> {
    const { statements } = lookUp(this.#parts.unlockedTables, resource);
    const { sql, slots } = statements.get(conditions);
    const values = this.valuesOf(statements.table, conditions, [compared(lookUp(statements.table.column, 'id'), id)]);
    await this.execute(statements.table, { sql: `${sql} for update`, slots }, values);
  }

  async delete(resource: string, id: Id, conditions: readonly Condition[] = []): Promise<boolean> {
    const table = this.table(resource);
    const { statements } = table;
    if (table.mapped) return this.#mapped(table, table.mapped).delete(id, conditions);
    const values = this.valuesOf(statements.table, conditions, [encode(lookUp(statements.table.column, 'id'), id)]);
    const { count } = await this.#send(statements.delete(conditions), values, table);
    return count > 0;
  }

  #mapped(table: PostgresTable, mapped: NonNullable<PostgresTable['mapped']>): MappedRows {
    const { table: own } = table.statements;
    return new MappedRows(table, mapped, {
      write: (sql, values) => this.#control.write({ table: own.name, sql, values, opening: this.#opening }),
      valuesOf: (conditions, into) => this.valuesOf(own, conditions, into),
      get: (resource, id) => this.unlocked.get(resource, id),
    });
  }

  async deleteEach(resource: string, ids: readonly Id[], conditions: readonly Condition[] = []): Promise<void> {
    const table = this.table(resource);
    const { statements } = table;
    const values = this.valuesOf(statements.table, conditions, [eachOf(statements.table, 'id', ids)]);
    await this.#send(statements.deleteEach(conditions), values, table);
  }

  /** The nodes of Citus do not hear of it. */
  async deferReferences(): Promise<boolean> {
    const { byTenant = new Map<string, Table>() } = this.#parts;
    if ([...byTenant.values()].some(({ isDistributed }) => isDistributed)) return false;
    await this.#control.query('set constraints all deferred');
    return true;
  }

  async claim(key: string): Promise<boolean> {
    return singleValue(await this.#query(CLAIM, [lockOf(key)])) === 't';
  }

  async lock(keys: readonly string[]): Promise<void> {
    const numbers = keys.map((key) => BigInt(lockOf(key))).sort((a, b) => (a < b ? -1 : 1));
    await this.#query(LOCK, [`{${numbers.join()}}`]);
  }

  async recall(key: string, now: Date): Promise<string | undefined> {
    const { rows } = await this.#query(RECALL, [key, now.toISOString()]);
    return rows[0]?.[0] ?? undefined;
  }

  async remember(key: string, text: string, expires: Date): Promise<void> {
    await this.#query(REMEMBER, [key, text, expires.toISOString()]);
  }

  importOwnRows(pages: AsyncIterable<OwnRows>): Promise<void> {
    return importOwnRows('postgres', async (sql, values) => (await this.#control.query(sql, values)).rows, pages);
  }

  async #query({ sql, slots }: Statement, values: readonly StoredValue[]): Promise<Answer> {
    try {
      return await this.#control.query(sql, bind(slots, values));
    } catch (error) {
      throw storeError(error);
    }
  }

  async #inserted(
    table: PostgresTable,
    row: Row,
    statement: Statement,
    values: readonly StoredValue[],
    kind: Write = 'write',
  ): Promise<Row> {
    return (await this.#write(table, row, statement, values, kind)) ?? row;
  }

  async #write(
    table: PostgresTable,
    row: Row,
    statement: Statement,
    values: readonly StoredValue[],
    kind: Write = 'write',
  ): Promise<Row | undefined> {
    const { columns } = table.statements.table;
    // Postgres cannot compare an id with a text that is not a UUID, and nothing can have that id.
    const dangles = columns.some(
      ({ references }, i) => references && row[i] !== null && encode(columns[i]!, row[i]!) === null,
    );
    if (dangles) throw new StoreError({ kind: 'reference' }, new Error('not a UUID'));
    const { rows } = await this.#send(statement, values, table, kind);
    return rows[0] && table.decode(rows[0]);
  }

  async #send(
    { sql, slots }: Statement,
    values: readonly StoredValue[],
    table: PostgresTable,
    kind: Write = 'write',
  ): Promise<Answer> {
    const { name } = table.statements.table;
    try {
      return await this.#control[kind]({ table: name, sql, values: bind(slots, values), opening: this.#opening });
    } catch (error) {
      if (isAltered(error)) throw new RowAltered(name, { cause: error });
      throw isConflict(error) ? error : storeError(error, (key) => table.uniques.get(key) ?? []);
    }
  }
}

/** A write with its event, if it has one. */
function heard(
  { statements, withEvents }: PostgresTable,
  write: Statement,
  values: readonly StoredValue[],
  event: Along['event'],
): readonly [Statement, readonly StoredValue[]] {
  if (!event) return [write, values];
  const both = withEvents.once(write.sql, () => withEvent(write, statements.table, values.length));
  return [both, [...values, ...eventValues(event())]];
}

/** How it is sent: a single new row may go along with those of others. */
type Write = 'insert' | 'write';

const BATCH = 500;

/** Inserts many rows by one statement, whose argument is a JSON array of objects keyed by column. */
function insertEach({ name, columns, stored }: Table, hasTenants: boolean): Statement {
  const list = (hasTenants ? stored : columns).map(({ column }) => `"${column}"`).join(', ');
  const rows = `jsonb_populate_recordset(null::"${name}", $1::jsonb)`;
  return { sql: `insert into "${name}" (${list}) select ${list} from ${rows}`, slots: [0] };
}

/** The number of a key's advisory lock: 64 bits of the key's hash. */
const lockOf = (key: string): string => createHash('sha256').update(key).digest().readBigInt64BE().toString();
