import type { Id } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { valuesOf as valuesWith } from '../statements/conditions.ts';
import { meeting } from '../statements/each.ts';
import type { ReadStatement } from '../statements/statement.ts';
import type { TableStatements } from '../statements/table-statements.ts';
import type { Condition, CountQuery, GroupQuery, Reader, Row, RowQuery, StoredValue } from '../store.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { fts5Query } from './sqlite-words.ts';

/** The statements of each resource's table, by its key. */
export type Tables = ReadonlyMap<string, TableStatements>;

export const valuesOf = (conditions: readonly Condition[], into?: StoredValue[]): StoredValue[] =>
  valuesWith(fts5Query, conditions, into);

/** Reads over one connection. */
export class SqliteReader implements Reader {
  protected readonly connection: SqliteConnection;
  protected readonly tables: Tables;

  constructor(connection: SqliteConnection, tables: Tables) {
    this.connection = connection;
    this.tables = tables;
  }

  get(resource: string, id: Id, conditions: readonly Condition[] = [], property = 'id'): Row | undefined {
    return this.connection.first(this.statements(resource).get(conditions, property), valuesOf(conditions, [id]));
  }

  list(query: RowQuery): MaybePromise<readonly Row[]> {
    const values = valuesOf(query.conditions);
    if (query.after) values.push(...query.after);
    values.push(query.limit);
    const statements = this.statements(query.resource);
    return this.read(statements.table, statements.list(query), values);
  }

  count(resource: string, conditions: readonly Condition[], most?: number): MaybePromise<number> {
    const statements = this.statements(resource);
    const counted = this.read(statements.table, statements.count(conditions, most), valuesOf(conditions));
    return whenKnown(counted, ([row]) => row![0] as number);
  }

  getEach(resource: string, ids: readonly Id[], conditions: readonly Condition[] = []): readonly Row[] {
    const values = valuesOf(conditions, [JSON.stringify(ids)]);
    return this.connection.all(this.statements(resource).getEach(conditions), values);
  }

  listEach(query: GroupQuery): readonly (readonly Row[])[] {
    const values = valuesOf(query.conditions, [JSON.stringify(query.values)]);
    values.push(query.limit);
    const groups: Row[][] = query.values.map(() => []);
    for (const row of this.connection.all(this.statements(query.resource).listEach(query), values))
      groups[row.at(-1) as number]!.push(row);
    return groups;
  }

  countEach({ resource, property, values, conditions, most, through }: CountQuery): readonly number[] {
    const bound = valuesOf(conditions, [JSON.stringify(values)]);
    const statement = this.statements(resource).countEach(property, conditions, most, through);
    const counts = this.connection.all(statement, bound);
    return counts.map(([count]) => count as number);
  }

  meetEach(resource: string, rows: readonly Row[], conditions: readonly Condition[]): readonly boolean[] {
    const values = valuesOf(conditions, [JSON.stringify(rows)]);
    const found = this.connection.all(this.statements(resource).meetEach(conditions), values);
    return meeting(
      rows,
      found.map(([position]) => position as number),
    );
  }

  protected statements(resource: string): TableStatements {
    return this.tables.get(resource)!;
  }

  /** Runs a statement that reads one table. */
  protected read(
    _table: Table,
    statement: ReadStatement,
    values: readonly StoredValue[],
  ): MaybePromise<readonly (readonly StoredValue[])[]> {
    return this.connection.all(statement, values);
  }
}
