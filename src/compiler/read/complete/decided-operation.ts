import type { OperationDraft, ResourceDraft } from '../../model/draft.ts';
import type { OperationModel } from '../../model/model.ts';

/** An operation of the document as written, and what its model adds. */
export interface DecidedOperation {
  readonly draft: OperationDraft;
  readonly model: Omit<OperationModel, keyof OperationDraft>;
  /** The resource that it lists. */
  readonly listed?: ResourceDraft;
}
