import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { planRoutes } from '../../descriptor/wiring-plan.ts';
import { type RestOperation, readOperations } from '../../runtime/rest/operation.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';

/** The custom operations of a contract, by whether a handler serves them. */
export interface CustomOperations {
  readonly served: readonly RestOperation[];
  readonly unserved: readonly RestOperation[];
}

export function customOperations({ document, resources }: CompiledContract, handlers?: AnyHandlers): CustomOperations {
  const plan = planRoutes(document, resources);
  const custom = readOperations(document).filter(({ operationId }) => plan.get(operationId)!.bind === 'operation');
  const isServed = ({ operationId }: RestOperation) => Object.hasOwn(handlers?.operations ?? {}, operationId);
  return { served: custom.filter(isServed), unserved: custom.filter((operation) => !isServed(operation)) };
}
