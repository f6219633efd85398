import type { OperationDraft, ResourceDraft } from '../model/draft.ts';
import type { OperationModel } from '../model/model.ts';

/** An operation of the document together with its model. */
export interface DecidedOperation {
  readonly draft: OperationDraft;
  readonly model: OperationModel;
  /** The resource that it lists. */
  readonly listed?: ResourceDraft;
}
