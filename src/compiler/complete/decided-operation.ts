import type { OperationDraft } from '../model/draft.ts';
import type { OperationModel } from '../model/model.ts';

/** One operation and what was decided about it. */
export interface DecidedOperation {
  readonly draft: OperationDraft;
  readonly model: OperationModel;
}
