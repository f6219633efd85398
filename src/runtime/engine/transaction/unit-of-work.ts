import type { Principal } from '../../auth/principal.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Transaction } from '../../storage/store.ts';
import type { ChangeLog } from '../events/change-log.ts';
import type { Resource } from '../resource/resource.ts';

/** What the writes of one transaction share. */
export interface UnitOfWork {
  readonly transaction: Transaction;
  /** The time of the change; every row that it writes gets the same. */
  readonly now: Date;
  readonly newId: () => string;
  /** Whose change it is; undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  readonly log: ChangeLog;
  /** Each of its statements is committed by itself. */
  readonly isAlone?: boolean;
  /** How many rows a delete may delete or change along with its own; any if left out. */
  readonly maxDependants?: number | undefined;
  /** Whose rows code writes, where it is not its caller who decides. */
  readonly scope?: RowScope;
  /** Called before an override locks rows of a resource. */
  readonly onLock?: (locked: Resource) => void;
}

export const unitWithin = <U extends UnitOfWork>(unit: U, scope: RowScope): U => ({
  ...unit,
  scope,
  transaction: unit.transaction.within(scope),
});
