import { lookUp } from '../../descriptor/look-up.ts';
import { columnOf, type Table, tablesOf } from '../../descriptor/table.ts';
import type { Resource } from '../../runtime/engine/resource/index.ts';
import type { Condition, StoredValue } from '../../runtime/storage/index.ts';
import { eachComparison, type Statement, TableStatements } from '../../runtime/storage/statements/index.ts';
import type { AskedDatabase } from './asked-database.ts';

/** A statement that the engine executes for an action, with its values by slot. */
export interface Executed {
  readonly reads: string;
  readonly statement: Statement;
  readonly values: readonly StoredValue[];
}

/** The statements of a contract's tables for one database. */
export class ContractStatements {
  readonly #database: Pick<AskedDatabase, 'dialect' | 'encode'>;
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(database: Pick<AskedDatabase, 'dialect' | 'encode'>, resources: ReadonlyMap<string, Resource>) {
    this.#database = database;
    this.#tables = new Map(
      tablesOf([...resources.values()].map(({ descriptor }) => descriptor)).map((table) => [
        table.descriptor.key,
        table,
      ]),
    );
  }

  of({ descriptor: { key } }: Resource): TableStatements {
    return new TableStatements(this.#database.dialect, this.#table(key), {}, (other) => this.#table(other));
  }

  /** The values that conditions on rows of a resource compare with, as statements are given them. */
  valuesOf({ descriptor }: Resource, conditions: readonly Condition[]): readonly StoredValue[] {
    const values: StoredValue[] = [];
    for (const condition of conditions)
      eachComparison(condition, descriptor.key, ({ property, value }, key) => {
        const column = columnOf(this.#table(key!), property);
        const all = Array.isArray(value) ? value : [value as StoredValue];
        values.push(...all.filter((one) => one !== null).map((one) => this.#database.encode(column, one)));
      });
    return values;
  }

  #table(key: string): Table {
    return lookUp(this.#tables, key);
  }
}
