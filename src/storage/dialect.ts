import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { PropertyDescriptor } from '../descriptor/resource.ts';

/** Tables and columns are known only at run time. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own type for an untyped schema
export type AnyDatabase = any;

/** What the statements need to know of a database. */
export interface SqlDialect {
  /** Compiles queries; never runs them. */
  readonly builder: Kysely<AnyDatabase>;
  /** The column as an expression that yields a `StoredValue`. */
  readonly select: (property: PropertyDescriptor) => RawBuilder<unknown>;
  /** A query of the entries of a JSON array of strings (the placeholder's text): their index from 0, their text. */
  readonly entries: (slot: number) => RawBuilder<unknown>;
  /** `column` contains the placeholder's text; ASCII letters match in either case. */
  readonly contains: (column: string, slot: number) => RawBuilder<SqlBool>;
}
