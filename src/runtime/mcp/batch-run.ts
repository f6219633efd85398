import { BODY_INPUT } from '../../descriptor/operation-inputs.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Caller, PathParams } from '../engine/interface/call.ts';
import type { BatchOperation, ResourceActions } from '../engine/interface/engine.ts';
import { batchText } from '../engine/lists/batch-text.ts';
import { toApiError } from '../http/framework-error.ts';
import { type Arguments, inArguments, parametersReader } from './tool-arguments.ts';

/** The results as REST answers them; of a failure its code, words and places. */
export function batchRun(
  operation: OperationDescriptor,
  actions: ResourceActions,
  batch: BatchOperation,
): (caller: Caller, args: Arguments) => MaybePromise<string> {
  const paramsOf = parametersReader(operation, ['path']);
  return (caller, args) => {
    const { [BODY_INPUT]: input, idempotencyKey } = args;
    const params = paramsOf(args) as PathParams;
    actions.checkParams(params);
    const call = { caller, params, input, idempotencyKey: idempotencyKey as string | undefined };
    return whenKnown(batch.run(call), (results) => JSON.stringify(batchText(results, failureText)));
  };
}

function failureText(error: Error): string {
  const { code, detail, errors } = toApiError(error);
  return JSON.stringify({ error: { code, detail, errors: errors?.map(inArguments) } });
}
