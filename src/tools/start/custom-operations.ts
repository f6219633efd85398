import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type RestOperation, readOperations } from '../../runtime/rest/operation.ts';
import { resourceActions } from '../../runtime/rest/resource-actions.ts';
import type { AnyHandlers } from '../../runtime/server.ts';

/** The custom operations of a contract, by whether a handler serves them. */
export interface CustomOperations {
  readonly served: readonly RestOperation[];
  readonly unserved: readonly RestOperation[];
}

export function customOperations({ document, resources }: CompiledContract, handlers?: AnyHandlers): CustomOperations {
  const actions = new Set(resourceActions(resources).map(({ operationId }) => operationId));
  const custom = readOperations(document).filter(({ operationId }) => !actions.has(operationId));
  const isServed = ({ operationId }: RestOperation) => Object.hasOwn(handlers?.operations ?? {}, operationId);
  return { served: custom.filter(isServed), unserved: custom.filter((operation) => !isServed(operation)) };
}
