import { BODY_INPUT } from '../../descriptor/operation-inputs.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Caller, PathParams } from '../engine/interface/call.ts';
import type { BatchOperation, ResourceActions } from '../engine/interface/engine.ts';
import { batchText } from '../engine/lists/batch-text.ts';
import type { RenderProblem } from '../http/problem.ts';
import { type Arguments, parametersReader } from './tool-arguments.ts';

/** The problem document of an error, as JSON. */
export type ProblemOf = (error: Error) => ReturnType<RenderProblem>;

/** The results as REST answers them, with the places of faults in the arguments. */
export function batchRun(
  operation: OperationDescriptor,
  actions: ResourceActions,
  batch: BatchOperation,
): (caller: Caller, args: Arguments, problemOf: ProblemOf) => MaybePromise<string> {
  const paramsOf = parametersReader(operation, ['path']);
  return (caller, args, problemOf) => {
    const { [BODY_INPUT]: input, idempotencyKey } = args;
    const params = paramsOf(args) as PathParams;
    actions.checkParams(params);
    const call = { caller, params, input, idempotencyKey: idempotencyKey as string | undefined };
    const failed = (error: Error): string => {
      const { status, body } = problemOf(error);
      return `{"status":${status},"error":${body}}`;
    };
    return whenKnown(batch.run(call), (results) => JSON.stringify(batchText(results, failed)));
  };
}
