import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Row } from '../../storage/store.ts';
import type { Values } from '../resource/row-codec.ts';

export type RowCheck = (row: Row) => MaybePromise<void>;

/** What is asked of the whole row. */
export interface RowChecks {
  /** Judges a row that hand-written code writes; called before the others. */
  readonly judge?: RowCheck | undefined;
  /** Called before the row is written. */
  readonly before?: RowCheck | undefined;
  /** Called when a key of the row is taken, before the caller hears of it. */
  readonly whenTaken?: RowCheck | undefined;
}

/** The same of a row that exists. */
export interface UpdateChecks extends Omit<RowChecks, 'before'> {
  /** The row is written even if no property differs. */
  readonly isForced?: boolean | undefined;
  /** The input that its values have come from. */
  readonly input?: Values | undefined;
}
