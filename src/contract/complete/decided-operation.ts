import type { OperationDraft } from '../draft.ts';
import type { OperationModel } from '../model.ts';

/** One operation and what was decided about it. */
export interface DecidedOperation {
  readonly draft: OperationDraft;
  readonly model: OperationModel;
}
