import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { RestOperation } from '../../runtime/rest/operation.ts';
import type { Step } from './step.ts';

/** A list below a row as the operation asks for it where another resource joins its rows to that; undefined where none does. */
export function throughStep(
  operations: readonly RestOperation[],
  parent: ResourceDescriptor,
  operationId: string,
  step: Step,
): Step | undefined {
  const through = step.resource.throughs?.find((one) => one.operationId === operationId);
  const { path = '' } = operations.find((one) => one.operationId === operationId) ?? {};
  const [, parameter] = /\{([^}]+)\}\/[^/]+$/.exec(path) ?? [];
  if (!through || parameter === undefined) return undefined;
  return { ...step, through, params: { ...step.params, [parameter]: step.params[parent.idParameter]! } };
}
