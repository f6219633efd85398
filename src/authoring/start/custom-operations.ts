import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { planRoutes } from '../../descriptor/wiring-plan.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';

/** The custom operations of a contract, by whether a handler serves them. */
export interface CustomOperations {
  readonly served: readonly OperationDescriptor[];
  readonly unserved: readonly OperationDescriptor[];
}

export function customOperations({ rest, resources }: CompiledContract, handlers?: AnyHandlers): CustomOperations {
  const plan = planRoutes(rest, resources);
  const custom = rest.operations.filter(({ operationId }) => 'operationId' in lookUp(plan, operationId));
  const isServed = ({ operationId }: OperationDescriptor) =>
    [handlers?.operations, handlers?.routes].some((code) => Object.hasOwn(code ?? {}, operationId));
  return { served: custom.filter(isServed), unserved: custom.filter((operation) => !isServed(operation)) };
}
