import { suggestion } from '../compiler/findings/index.ts';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { lookUp } from '../descriptor/look-up.ts';
import { ACTIONS, type Action, linksOf, type ResourceDescriptor } from '../descriptor/resource.ts';
import type { OperationDescriptor } from '../descriptor/rest.ts';
import { CommandFailure } from './command-failure.ts';

/** What is asked about: an operation, and the action of a resource that it is, or that a link takes; custom ones have neither. */
export interface Asked {
  readonly operation: OperationDescriptor;
  readonly resource?: ResourceDescriptor | undefined;
  readonly action?: Action | undefined;
}

/** Finds an action by its name, `patients.update`, or by its operationId, `updatePatient`. Throws `CommandFailure`. */
export function findAction({ rest, resources }: CompiledContract, name: string): Asked {
  const operations = new Map(rest.operations.map((operation) => [operation.operationId, operation]));
  const known = new Map<string, Asked>([...operations].map(([id, operation]) => [id, { operation }]));
  for (const resource of resources) {
    for (const { operationId, kind } of linksOf(resource))
      known.set(operationId, {
        operation: lookUp(operations, operationId),
        resource,
        action: kind === 'link' ? 'create' : 'delete',
      });
    for (const action of ACTIONS) {
      const declared = resource.actions[action];
      if (!declared) continue;
      const asked = { operation: lookUp(operations, declared.operationId), resource, action };
      known.set(declared.operationId, asked);
      known.set(`${resource.key}.${action}`, asked);
    }
  }
  const found = known.get(name);
  if (found) return found;
  throw new CommandFailure(
    `The action ${name} does not exist. ${suggestion(name, [...known.keys()], 'Name one as RESOURCE.ACTION, or by its operationId.')}`,
  );
}
