import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { RelatedReads } from './access-rule.ts';
import type { RowTest } from './row-test.ts';

/** What a rule lets one caller do: with the rows that meet the conditions, with all of them where there are none. */
export interface Permission {
  readonly conditions: readonly Condition[];
  /** The conditions as a test in memory; undefined where only the database can tell. */
  readonly test: RowTest | undefined;
}

/** Properties that a caller reads on the same rows. */
export interface ReadableFields extends Permission {
  readonly names: readonly string[];
}

/** What a caller reads of the rows of a resource. */
export interface FieldView {
  /** The properties that it does not read on every row, by what decides. */
  readonly limited: readonly ReadableFields[];
  /** Callers with equal texts read the same. */
  readonly key: string;
}

/** The rules of `x-access` on the properties of a resource. */
export interface FieldRules {
  /** The properties whose writing has a rule. */
  readonly written: readonly string[];
  /** What decides, of the rows of other resources, who reads which property, by the key of their resource. */
  readonly reads: readonly (readonly [resource: string, RelatedReads])[];
  /** Undefined for callers who read every property on every row. */
  viewFor(principal: Principal | undefined): FieldView | undefined;
  /** Who may write one of `written`. */
  permissionToWrite(property: string, principal: Principal | undefined): Permission;
  /** Names what is hidden of a row in its entity tag: rows in which other properties are hidden have other names. */
  tagOf(hidden: readonly string[]): string;
}
