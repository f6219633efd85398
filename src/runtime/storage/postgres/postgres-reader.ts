import { tsqueryText } from '../../../descriptor/migration/postgres-words.ts';
import type { Id, PropertyDescriptor } from '../../../descriptor/resource.ts';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { ColumnStatements } from '../statements/column-statements.ts';
import { meeting } from '../statements/each.ts';
import type { ReadCost } from '../statements/read-cost.ts';
import { bind, eachComparison, isPacked } from '../statements/shapes.ts';
import type { ReadStatement, Statement } from '../statements/statement.ts';
import type { ShapedStatements, TableStatements } from '../statements/table-statements.ts';
import { totalsTypes, totalsValues } from '../statements/totals-statements.ts';
import type {
  Comparison,
  Condition,
  CountQuery,
  GroupQuery,
  Reader,
  Row,
  RowGroups,
  RowQuery,
  StoredValue,
  TotalsQuery,
} from '../store.ts';
import { type Answer, singleValue, type WireRow } from './answer.ts';
import type { MappedWriter } from './mapped-writing.ts';
import { storeError } from './postgres-errors.ts';
import { compared, createDecoder, recordsOf } from './values.ts';

/** A table's statements, and how to decode its rows. */
export interface PostgresTable {
  readonly statements: TableStatements;
  readonly decode: (wire: WireRow) => Row;
  /** The properties of each unique key, by the name of its index. */
  readonly uniques: ReadonlyMap<string, readonly string[]>;
  /** Its writes with events, by the texts of those without. */
  readonly withEvents: ShapedStatements;
  /** Of a table of others. */
  readonly mapped?: { readonly writer: MappedWriter; readonly statements: ColumnStatements };
}

export type PostgresTables = ReadonlyMap<string, PostgresTable>;

/** Runs a statement that reads one table; a bounded one costs the same in a table of any size. */
export type Read = (table: Table, isBounded: boolean, sql: string, values: readonly unknown[]) => Promise<Answer>;

/** Reads on one connection, or on those of a pool. `cost` estimates what may take long; undefined where that is all the same. */
export class PostgresReader implements Reader {
  protected readonly tables: PostgresTables;
  readonly #read: Read;
  readonly #cost: ReadCost | undefined;

  constructor(tables: PostgresTables, read: Read, cost?: ReadCost) {
    this.tables = tables;
    this.#read = read;
    this.#cost = cost;
  }

  async get(
    resource: string,
    id: Id,
    conditions: readonly Condition[] = [],
    property = 'id',
    columns?: RowQuery['columns'],
  ): Promise<Row | undefined> {
    const { statements, decode } = this.table(resource);
    const values = this.valuesOf(statements.table, conditions, [compared(columnOf(statements.table, property), id)]);
    const { rows } = await this.execute(statements.table, statements.get(conditions, property, columns), values);
    return rows[0] && decode(rows[0]);
  }

  async list(query: RowQuery): Promise<readonly Row[]> {
    const { statements, decode } = this.table(query.resource);
    const values = this.valuesOf(statements.table, query.conditions);
    query.after?.forEach((value, i) => {
      values.push(compared(columnOf(statements.table, query.order[i]!.property), value));
    });
    values.push(query.limit);
    const { rows } = await this.execute(statements.table, statements.list(query), values);
    return rows.map(decode);
  }

  async count(resource: string, conditions: readonly Condition[], most?: number): Promise<number> {
    const { statements } = this.table(resource);
    const { rows } = await this.execute(
      statements.table,
      statements.count(conditions, most),
      this.valuesOf(statements.table, conditions),
    );
    return Number(rows[0]![0]);
  }

  async getEach(
    resource: string,
    ids: readonly Id[],
    conditions: readonly Condition[] = [],
    columns?: RowQuery['columns'],
  ): Promise<readonly Row[]> {
    const { statements, decode } = this.table(resource);
    const values = this.valuesOf(statements.table, conditions, [eachOf(statements.table, 'id', ids)]);
    const { rows } = await this.execute(statements.table, statements.getEach(conditions, columns), values);
    return rows.map(decode);
  }

  async listEach(query: GroupQuery): Promise<readonly (readonly Row[])[]> {
    const { statements, decode } = this.table(query.resource);
    const values = this.valuesOf(statements.table, query.conditions, [
      eachOf(this.#groupTable(query), query.property, query.values),
    ]);
    values.push(query.limit);
    const groups: Row[][] = query.values.map(() => []);
    const { rows } = await this.execute(statements.table, statements.listEach(query), values);
    for (const wire of rows) {
      const row = decode(wire);
      groups[Number(row.at(-1))]!.push(row);
    }
    return groups;
  }

  async countEach(query: CountQuery): Promise<readonly number[]> {
    const { statements } = this.table(query.resource);
    const each = eachOf(this.#groupTable(query), query.property, query.values);
    const values = this.valuesOf(statements.table, query.conditions, [each]);
    const { rows } = await this.execute(statements.table, statements.countEach(query), values);
    return rows.map(([count]) => Number(count));
  }

  /** The table of the property by which rows are grouped. */
  #groupTable({ resource, through }: Pick<CountQuery, 'resource'> & RowGroups): Table {
    return this.table(through ?? resource).statements.table;
  }

  async totals(query: TotalsQuery): Promise<readonly (readonly StoredValue[])[]> {
    const { statements } = this.table(query.resource);
    const values = [...this.valuesOf(statements.table, query.conditions), ...totalsValues(query)];
    const { rows } = await this.execute(statements.table, statements.totals(query), values);
    return rows.map(createDecoder(totalsTypes(statements.table, query).map((type) => ({ type }))));
  }

  async meetEach(
    resource: string,
    rows: readonly Row[],
    conditions: readonly Condition[],
  ): Promise<readonly boolean[]> {
    const { statements, mapped } = this.table(resource);
    const values = this.valuesOf(statements.table, conditions, [
      mapped ? `[${rows.map(mapped.writer.record).join()}]` : recordsOf(statements.table, rows),
    ]);
    const answer = await this.execute(statements.table, statements.meetEach(conditions), values);
    return meeting(
      rows,
      answer.rows.map(([position]) => Number(position)),
    );
  }

  protected valuesOf(table: Table, conditions: readonly Condition[], into: StoredValue[] = []): StoredValue[] {
    for (const condition of conditions)
      if (condition.kind === undefined) addEncoded(table, condition, into);
      else
        eachComparison(condition, undefined, (comparison, resource) =>
          addEncoded(resource === undefined ? table : this.table(resource).statements.table, comparison, into),
        );
    return into;
  }

  protected table(resource: string): PostgresTable {
    return this.tables.get(resource)!;
  }

  protected async execute(
    table: Table,
    statement: Statement | ReadStatement,
    values: readonly StoredValue[],
  ): Promise<Answer> {
    const run = ({ sql, slots }: Statement, isBounded: boolean): Promise<Answer> =>
      this.#read(table, isBounded, sql, bind(slots, values));
    try {
      if (!this.#cost || !('isBounded' in statement) || statement.isBounded) return await run(statement, true);
      const count = async (probe: Statement) => singleValue(await run(probe, true));
      const cheapest = await this.#cost.cheapest(statement, values, count);
      if (cheapest) return await run(cheapest, true);
      const ahead = statement.ahead && (await run(statement.ahead, false));
      return ahead && ahead.count === values.at(-1) ? ahead : await run(statement, false);
    } catch (error) {
      throw storeError(error);
    }
  }
}

function addEncoded(table: Table, { property, operator, value }: Comparison, into: StoredValue[]): void {
  if (operator === 'search') {
    into.push(tsqueryText(table.wordSearch!, value as string));
    return;
  }
  const column = columnOf(table, property);
  if (Array.isArray(value)) {
    const encoded = value.map((one) => compared(column, one));
    if (isPacked(value)) into.push(JSON.stringify(encoded));
    else into.push(...encoded);
  } else if (value !== null) into.push(compared(column, value as StoredValue));
}

export const eachOf = (table: Table, property: string, values: readonly Id[]): string => {
  const column: PropertyDescriptor = columnOf(table, property);
  return JSON.stringify(values.map((value) => compared(column, value)));
};
