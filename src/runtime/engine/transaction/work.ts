import type { Transaction } from '../../storage/store.ts';
import type { ChangeLog } from '../events/change-log.ts';

/** What every write happens in. */
export interface Work {
  readonly transaction: Transaction;
  /** The same in every row that it writes. */
  readonly now: Date;
  readonly newId: () => string;
  readonly log: ChangeLog;
}
