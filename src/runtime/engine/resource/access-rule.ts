import type { RowAction } from '../../../descriptor/row-access.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';

/** Which rows callers may read, or create, or change, or delete. */
export interface AccessRule {
  /** The conditions on the rows for a caller; none for all rows. */
  conditionsFor(principal: Principal | undefined): readonly Condition[];
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
