import type { OperationDescriptor } from '../../descriptor/rest.ts';
import type { Caller, PathParams } from '../engine/interface/call.ts';
import type { LinkOperation, ResourceActions } from '../engine/interface/engine.ts';
import { type Arguments, parametersReader } from './tool-arguments.ts';

/** The answer has no content, as over REST. */
export function linkRun(
  operation: OperationDescriptor,
  actions: ResourceActions,
  link: LinkOperation,
): (caller: Caller, args: Arguments) => Promise<undefined> {
  const paramsOf = parametersReader(operation, ['path']);
  return async (caller, args) => {
    const params = paramsOf(args) as PathParams;
    actions.checkParams(params);
    await link.run({ caller, params });
    return undefined;
  };
}
