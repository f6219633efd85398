import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { PropertyDescriptor } from '../../descriptor/resource.ts';

/** Tables and columns are known only at run time. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own type for an untyped schema
export type AnyDatabase = any;

/** What the statements need to know of a database. */
export interface SqlDialect {
  /** Compiles queries; never runs them. */
  readonly builder: Kysely<AnyDatabase>;
  /** The column as an expression that yields a `StoredValue`. */
  readonly select: (property: PropertyDescriptor) => RawBuilder<unknown>;
  /** A query of the entries of a JSON array of values (the placeholder's text): their index from 0, the value. */
  readonly entries: (slot: number, property: PropertyDescriptor) => RawBuilder<unknown>;
  /** How to sort by the column so that NULL is lowest: `asc` and what completes it. */
  readonly direction: (property: PropertyDescriptor, direction: 'asc' | 'desc') => string;
  /** A query may refer to what stands before it in its `from`. */
  readonly hasLateral: boolean;
  /** The column has the placeholder's value, to the letter. */
  readonly equals: (property: PropertyDescriptor, slot: number) => RawBuilder<SqlBool>;
  /** `column` contains the placeholder's text; ASCII letters match in either case. */
  readonly contains: (column: string, slot: number) => RawBuilder<SqlBool>;
}
