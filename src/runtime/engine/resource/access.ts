import type { Id } from '../../../descriptor/resource.ts';
import type { RowAction } from '../../../descriptor/row-access.ts';
import type { Principal } from '../../auth/principal.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Condition, Row } from '../../storage/store.ts';

/** What a resource has of `access/`, which makes it at boot. Undefined stands for anonymous callers. */
export type ForCaller<T> = (principal: Principal | undefined) => T;

/**
 * Which rows of a resource a caller sees. A resource without rules has a constant. Each function throws `UNAUTHENTICATED`
 * where rows belong to callers and this one is anonymous.
 */
export interface RowFilter {
  /** Every caller sees every row, of the resource and of those above it. */
  readonly isOpen: boolean;
  /** A rule of `x-access` says who reads the rows: the resource's own, or that of an ancestor. */
  readonly isRuled: boolean;
  /** The conditions on a row, those on the rows above it aside. */
  readonly own: ForCaller<readonly Condition[]>;
  /** `own` without what `x-owner` says. */
  readonly ruled: ForCaller<readonly Condition[]>;
  /** `own` and, as conditions on the row of the parent, those of its ancestors. */
  readonly whole: ForCaller<readonly Condition[]>;
  /** Callers with equal texts see the same rows, and the same of them. */
  readonly key: ForCaller<string>;
}

/** Which rows callers may read, or create, or change, or delete. */
export interface AccessRule {
  /** The conditions on the rows for a caller; none for all rows. */
  readonly conditionsFor: ForCaller<readonly Condition[]>;
  /** The properties that it reads of a row itself. */
  readonly properties: ReadonlySet<string>;
  /** What it reads of related rows, by the key of their resource. */
  readonly reads: ReadonlyMap<string, RelatedReads>;
}

/** What decides, of the rows of another resource, who sees a row. */
export interface RelatedReads {
  readonly properties: ReadonlySet<string>;
  /** Whether such a row is there at all. */
  readonly isListed: boolean;
  /** Whether rows that its deletion deletes, or changes, have found it by a reference. */
  readonly isFollowed: boolean;
}

/** The rules of a resource; an action without one is decided by `security` alone. */
export type AccessRules = { readonly [A in RowAction]?: AccessRule };

/** Whether a condition holds for a row. */
export type RowTest = (row: Row) => boolean;

/** What a rule lets one caller do: with the rows that meet the conditions, with all of them if it has no conditions. */
export interface Permission {
  readonly conditions: readonly Condition[];
  /** The conditions as a test in memory; undefined where only the database can test them. */
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
  readonly viewFor: ForCaller<FieldView | undefined>;
  /** Who may write one of `written`. */
  permissionToWrite(property: string, principal: Principal | undefined): Permission;
  /** Names what is hidden of a row in its entity tag: rows in which other properties are hidden have other names. */
  tagOf(hidden: readonly string[]): string;
}

/** Whose rows are whose, for one resource. */
export interface Tenancy {
  readonly property: string;
  /** The caller's tenant; undefined where its token has none. */
  readonly tenantOf: ForCaller<Id | undefined>;
  /** Whether the caller sees the rows of all tenants. */
  readonly seesAll: ForCaller<boolean>;
  /** Whose rows a caller's statements may reach: those of the tenant of its token, or of all where it sees those. */
  readonly scopeFor: ForCaller<RowScope>;
  /** The rows of a tenant; of that of the caller's token where it is left out, whatever the caller sees. */
  scopeIn(principal: Principal | undefined, tenant?: Id): RowScope;
  /** The tenant of what the caller creates. Throws `FORBIDDEN` where it has none. */
  readonly forNew: ForCaller<Id>;
  /** Throws `FORBIDDEN` for a caller who has no tenant, nor all. */
  readonly checkWriter: ForCaller<void>;
}

/** Words for the developer on the rules of a resource that refuse a caller; no caller in production reads them. */
export interface Refusals {
  /** What `x-access` says of an action, and what the caller lacks. */
  access(action: RowAction, principal: Principal | undefined): string;
  /** What `x-owner` says. */
  owner(): string;
}
