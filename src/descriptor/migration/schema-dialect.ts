import type { Index } from '../indexes.ts';
import type { PropertyDescriptor } from '../resource.ts';
import type { Search } from '../searches.ts';
import type { Table } from '../table.ts';

export interface LiveColumn {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  /** The database counts its values. */
  readonly isCounted?: boolean;
  /** What its foreign key does; undefined when it has none. */
  readonly onDelete?: string;
  /** Name of its foreign key, where the database knows one. */
  readonly constraint?: string;
}

export interface LiveTable {
  readonly columns: ReadonlyMap<string, LiveColumn>;
  readonly indexes: ReadonlyMap<string, { readonly isValid: boolean }>;
}

/** A change that loses nothing. */
export interface Step {
  readonly what: string;
  readonly sql: string;
  /** Runs outside a transaction, so that it keeps nobody from writing. */
  readonly isConcurrent?: boolean;
  /** The server works without it, only slower. */
  readonly isOptional?: boolean;
}

/** What a column refers to. */
export interface Reference {
  readonly table: string;
  readonly onDelete: 'restrict' | 'cascade' | 'set null';
}

/** Statements that make a change; lossless ones may run by themselves. */
export interface SchemaChange {
  readonly sql: readonly string[];
  readonly isLossless: boolean;
}

/** How a database finds texts that contain another. */
export interface SearchDialect {
  /** Why it cannot; undefined when it can. */
  readonly unavailable?: { readonly reason: string; readonly byHand: readonly string[] };
  /** What must be there before the first index. */
  readonly prerequisite?: Step;
  /** `isFilled`: the table has been there before, with rows and readers. */
  create(table: Table, search: Search, isFilled: boolean): readonly Step[];
  drop(name: string, isFilled: boolean): readonly Step[];
  /** Whether an index of this name can only be one that this program made. */
  isOwn(name: string): boolean;
}

/** How a database defines tables. */
export interface SchemaDialect {
  readonly searches: SearchDialect;
  quote(name: string): string;
  /** As the database itself names the type. */
  typeOf(property: PropertyDescriptor): string;
  createTable(table: Table, tables: readonly Table[]): string;
  /** Foreign keys of a new table, unless it was made with them. */
  addReferences(table: Table, tables: readonly Table[]): readonly Step[];
  /** With the property's initial value in the rows that are there. */
  addColumn(table: Table, property: PropertyDescriptor, tables: readonly Table[]): string;
  /** A required column without a default: a person must choose the value for existing rows. */
  addRequired(table: Table, property: PropertyDescriptor, tables: readonly Table[]): readonly string[];
  /** Makes the database count the ids of new rows. */
  countIds(table: Table): SchemaChange;
  changeType(table: Table, property: PropertyDescriptor): readonly string[];
  setRequired(table: Table, property: PropertyDescriptor): readonly string[];
  dropRequired(table: Table, property: PropertyDescriptor): SchemaChange;
  changeReference(
    table: Table,
    property: PropertyDescriptor,
    reference: Reference,
    live: { readonly constraint?: string },
  ): SchemaChange;
  /** `isFilled`: the table has been there before, with rows and readers. */
  createIndex(table: Table, index: Index, isFilled: boolean): Omit<Step, 'what'>;
  dropIndex(name: string, isFilled: boolean): Omit<Step, 'what'>;
}
