import type { Index } from '../indexes.ts';
import type { PropertyDescriptor, PropertyType } from '../resource.ts';
import type { Search, WordSearch } from '../searches.ts';
import type { Table } from '../table.ts';
import type { IndexPart } from './postgres-partitions.ts';
import type { Step, TenantColumns } from './step.ts';

export interface LiveColumn {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  /** The database counts its values. */
  readonly isCounted?: boolean;
  /** The database alone writes it. */
  readonly isComputed?: boolean;
  /** What its foreign key does; undefined when it has none. */
  readonly onDelete?: string;
  /** Name of its foreign key, where the database knows one. */
  readonly constraint?: string;
  /** The table that its foreign key refers to, where a rebuild has to name it. */
  readonly target?: string;
  /** Rows that were there before its foreign key have not been held against it. */
  readonly isUnvalidated?: boolean;
}

export interface LiveTable {
  /** The primary key begins with the tenant. */
  readonly isKeyedByTenant?: boolean;
  /** How many hash partitions it has; undefined: it is not partitioned. */
  readonly partitions?: number;
  readonly isDistributed?: boolean;
  readonly columns: ReadonlyMap<string, LiveColumn>;
  /** One that is being filled is complete but for rows that are yet to be done. */
  readonly indexes: ReadonlyMap<string, { readonly isValid: boolean; readonly isFilling?: boolean }>;
  /** What a rebuilt column loses: indexes, triggers, and views that read it, each with the SQL that makes it. */
  readonly parts?: readonly { readonly type: string; readonly name: string; readonly sql: string }[];
}

/** What a column refers to. */
export interface Reference {
  readonly table: string;
  readonly onDelete: 'restrict' | 'cascade' | 'set null' | 'no action';
  /** What it leads by beside the id, where keys begin with the tenant. */
  readonly tenants?: TenantColumns | undefined;
}

/** Statements that make a change; lossless ones may run by themselves. */
interface SchemaChange {
  readonly sql: readonly string[];
  readonly isLossless: boolean;
}

/** How a database finds rows by their texts. */
export interface SearchDialect<S> {
  /** Why it cannot; undefined when it can. */
  readonly unavailable?: { readonly reason: string; readonly byHand: readonly string[] };
  /** What must be there before the first index. */
  readonly prerequisite?: Step;
  /** What must be in the table before its index; it may be there in part. */
  prepare?(table: Table, search: S, isFilled: boolean): readonly Step[];
  /** `isFilled`: the table has been there before, with rows and readers. */
  create(table: Table, search: S, isFilled: boolean): readonly Step[];
  drop(table: Table, name: string): readonly Step[];
  /** Whether an index of this name has parts of its own, which `drop` removes as a whole. */
  isOwn(name: string): boolean;
}

/** A foreign key to be made, or made anew. */
interface ReferenceChange {
  readonly property: PropertyDescriptor;
  readonly reference: Reference;
  readonly existing: LiveTable;
  /** Name of the constraint that it replaces. */
  readonly constraint?: string | undefined;
}

/** Another form of a column's values. */
interface TypeChange {
  readonly property: PropertyDescriptor;
  readonly from: PropertyType | undefined;
  readonly existing: LiveTable;
  /** What the property refers to, if it does. */
  readonly reference?: Reference | undefined;
}

/** How a database defines tables. */
export interface SchemaDialect {
  /** Of texts that contain another. */
  readonly searches: SearchDialect<Search>;
  /** Of texts that have words. */
  readonly words: SearchDialect<WordSearch>;
  quote(name: string): string;
  /** As the database itself names the type. */
  typeOf(property: PropertyDescriptor): string;
  createTable(table: Table, tables: readonly Table[]): string;
  /** Distributes tables over nodes that are not distributed yet, before their foreign keys. */
  distribute?(tables: readonly Table[], live: ReadonlyMap<string, LiveTable>): readonly Step[];
  /** Foreign keys of a new table, unless it was made with them. */
  addReferences(table: Table, tables: readonly Table[]): readonly Step[];
  /** With the property's initial value in the rows that are there, and with its foreign key. */
  addColumn(table: Table, property: PropertyDescriptor, tables: readonly Table[]): readonly Step[];
  /** A required column without a default: a person must choose the value for existing rows. */
  addRequired(table: Table, property: PropertyDescriptor, tables: readonly Table[]): readonly string[];
  renameColumn(table: Table, from: string, to: string): string;
  /** Makes the database count the ids of new rows. */
  countIds(table: Table): SchemaChange;
  /** Converts the values of a column. `from`: the form in which they are stored; undefined: the form of no property. */
  changeType(table: Table, change: TypeChange): readonly string[];
  setRequired(table: Table, property: PropertyDescriptor, existing: LiveTable): readonly string[];
  dropRequired(table: Table, column: string, existing: LiveTable): SchemaChange;
  /** Steps that make the foreign key, or what a person has to do. */
  changeReference(table: Table, change: ReferenceChange): readonly Step[] | { readonly byHand: readonly string[] };
  /** Holds the rows that are there against a foreign key. */
  validateReference(table: Table, constraint: string): Pick<Step, 'sql' | 'isConcurrent' | 'rows'>;
  /** `isFilled`: the table has been there before, with rows and readers. */
  createIndex(table: Table, index: Index, isFilled: boolean): readonly IndexPart[];
  /** Completes an index that a failure has left unfinished; undefined: it is dropped and made again. */
  rebuildIndex(table: Table, name: string): IndexPart | undefined;
  dropIndex(table: Table, name: string, isFilled: boolean): IndexPart;
}
