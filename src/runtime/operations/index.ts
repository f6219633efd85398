export { reply } from './code-answer.ts';
export type {
  Answered,
  CodeContext,
  OperationHandler,
  OperationInputs,
  OperationReply,
  OperationRequest,
  Sent,
} from './operation-types.ts';
