import type { Id } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { TurnTaker } from '../../async/turns.ts';
import type { Lane } from '../lane.ts';
import { meeting } from '../statements/each.ts';
import type { ReadCost } from '../statements/read-cost.ts';
import { valuesOf as valuesWith } from '../statements/shapes.ts';
import type { ReadStatement, Statement } from '../statements/statement.ts';
import type { TableStatements } from '../statements/table-statements.ts';
import { totalsValues } from '../statements/totals-statements.ts';
import type { Condition, CountQuery, GroupQuery, Reader, Row, RowQuery, StoredValue, TotalsQuery } from '../store.ts';
import { type SlowThread, slowRead } from './slow-thread.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { fts5Query } from './sqlite-words.ts';

/** The statements of each resource's table, by its key. */
export type Tables = ReadonlyMap<string, TableStatements>;

export const valuesOf = (conditions: readonly Condition[], into?: StoredValue[]): StoredValue[] =>
  valuesWith(fts5Query, conditions, into);

/** Where reads run that would keep all others waiting. */
export interface Apart {
  readonly cost: ReadCost;
  readonly lane: Lane<SlowThread>;
}

/** Reads over one connection. `apart`: what may take long runs in another thread; `caller`: whose turns it has there. */
export class SqliteReader implements Reader {
  protected readonly connection: SqliteConnection;
  protected readonly tables: Tables;
  readonly #apart: Apart | undefined;
  readonly #caller: TurnTaker | undefined;

  constructor(connection: SqliteConnection, tables: Tables, apart?: Apart, caller?: TurnTaker) {
    this.connection = connection;
    this.tables = tables;
    this.#apart = apart;
    this.#caller = caller;
  }

  get(resource: string, id: Id, conditions: readonly Condition[] = [], property = 'id', columns?: RowQuery['columns']) {
    const statements = this.statements(resource);
    const read = statements.get(conditions, property, columns);
    const values = conditions.length === 0 ? [id] : valuesOf(conditions, [id]);
    if (read.isBounded) return this.connection.first(read, values);
    return whenKnown(this.#read(statements.table, read, values), ([row]) => row);
  }

  list(query: RowQuery): MaybePromise<readonly Row[]> {
    const values = valuesOf(query.conditions);
    if (query.after) values.push(...query.after);
    values.push(query.limit);
    const statements = this.statements(query.resource);
    return this.#read(statements.table, statements.list(query), values);
  }

  count(resource: string, conditions: readonly Condition[], most?: number): MaybePromise<number> {
    const statements = this.statements(resource);
    const counted = this.#read(statements.table, statements.count(conditions, most), valuesOf(conditions));
    return whenKnown(counted, ([row]) => row![0] as number);
  }

  getEach(resource: string, ids: readonly Id[], conditions: readonly Condition[] = [], columns?: RowQuery['columns']) {
    const values = valuesOf(conditions, [JSON.stringify(ids)]);
    const statements = this.statements(resource);
    return this.#read(statements.table, statements.getEach(conditions, columns), values);
  }

  listEach(query: GroupQuery): MaybePromise<readonly (readonly Row[])[]> {
    const values = valuesOf(query.conditions, [JSON.stringify(query.values)]);
    values.push(query.limit);
    const statements = this.statements(query.resource);
    return whenKnown(this.#read(statements.table, statements.listEach(query), values), (rows) => {
      const groups: Row[][] = query.values.map(() => []);
      for (const row of rows) groups[row.at(-1) as number]!.push(row);
      return groups;
    });
  }

  countEach(query: CountQuery): MaybePromise<readonly number[]> {
    const bound = valuesOf(query.conditions, [JSON.stringify(query.values)]);
    const statements = this.statements(query.resource);
    const counts = this.#read(statements.table, statements.countEach(query), bound);
    return whenKnown(counts, (rows) => rows.map(([count]) => count as number));
  }

  totals(query: TotalsQuery): MaybePromise<readonly (readonly StoredValue[])[]> {
    const statements = this.statements(query.resource);
    const values = [...valuesOf(query.conditions), ...totalsValues(query)];
    return this.#read(statements.table, statements.totals(query), values);
  }

  meetEach(resource: string, rows: readonly Row[], conditions: readonly Condition[]): MaybePromise<readonly boolean[]> {
    const values = valuesOf(conditions, [JSON.stringify(rows)]);
    const statements = this.statements(resource);
    return whenKnown(this.#read(statements.table, statements.meetEach(conditions), values), (found) =>
      meeting(
        rows,
        found.map(([position]) => position as number),
      ),
    );
  }

  protected statements(resource: string): TableStatements {
    return this.tables.get(resource)!;
  }

  #read(table: Table, statement: ReadStatement, values: readonly StoredValue[]): MaybePromise<readonly Row[]> {
    if (!this.#apart || statement.isBounded) return this.connection.all(statement, values);
    const { cost, lane } = this.#apart;
    const count = (probe: Statement) => this.connection.value(probe, values);
    return whenKnown(cost.cheapest(statement, values, count), (cheapest) => {
      if (cheapest) return this.connection.all(cheapest, values);
      return lane.run({ caller: this.#caller?.turn }, (thread) => thread.all(slowRead(table, statement, values)));
    });
  }
}
