import { lookUp } from '../../descriptor/look-up.ts';
import { columnOf, type Table, tablesOf, tenantColumnsOf } from '../../descriptor/table.ts';
import type { Principal } from '../../runtime/auth/index.ts';
import type { Resource } from '../../runtime/engine/resource/index.ts';
import { type Condition, type StoredValue, wallsOf } from '../../runtime/storage/index.ts';
import { eachComparison, type Statement, TableStatements } from '../../runtime/storage/statements/index.ts';
import type { AskedDatabase } from './asked-database.ts';

/** A statement that the engine executes for an action, with its values by slot. */
export interface Executed {
  readonly reads: string;
  readonly statement: Statement;
  readonly values: readonly StoredValue[];
}

type Asked = Pick<AskedDatabase, 'dialect' | 'layout' | 'encode'>;

/** The statements of a contract's tables for one database and one caller. */
export class ContractStatements {
  readonly #database: Asked;
  readonly #wall: ReturnType<NonNullable<ReturnType<typeof wallsOf>>>;
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(database: Asked, resources: ReadonlyMap<string, Resource>, principal: Principal | undefined) {
    this.#database = database;
    const descriptors = [...resources.values()].map(({ descriptor }) => descriptor);
    const tables = tablesOf(descriptors, database.layout);
    this.#tables = new Map(tables.map((table) => [table.descriptor.key, table]));
    const tenancy = [...resources.values()].find((one) => one.tenancy)?.tenancy;
    const wallOf = wallsOf(descriptors, { tenantColumns: tenantColumnsOf(tables) });
    this.#wall = tenancy && wallOf?.(tenancy.scopeFor(principal));
  }

  /** Conditions on rows of a resource, and those that keep the caller to rows of its tenant. */
  within({ descriptor: { key } }: Resource, conditions: readonly Condition[]): readonly Condition[] {
    return this.#wall?.within(key, conditions) ?? conditions;
  }

  /** The same for rows that a statement is given. */
  ofGiven({ descriptor: { key } }: Resource, conditions: readonly Condition[]): readonly Condition[] {
    return this.#wall?.ofGiven(key, conditions) ?? conditions;
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
