import { planRoutes, type RouteBinding } from '../../descriptor/wiring-plan.ts';
import type { ContractModel } from '../model/model.ts';
import { HEADER, key, quote } from './print.ts';

/** `routes.ts`: one line for each operation of the contract, which says what answers it. */
export function emitRoutes({ rest, resources }: ContractModel, library: string): string {
  const plan = planRoutes(rest, resources);
  const binds = new Set([...plan.values()].map(({ bind }) => bind));
  const given = ['bind', ...(binds.has('operation') ? ['operations'] : []), ...(binds.has('route') ? ['routes'] : [])];
  const lines = [...plan].map(([operationId, binding]) => `    ${key(operationId)}: ${callOf(binding)},\n`);
  return `${HEADER}import type { Routes, RouteWiring } from '${library}';
import type { CodeRoutes, Operations, Resources } from './handlers.ts';
import type { operations as Contract } from './types/openapi.ts';

/** What answers each operation. To replace a route, add it to \`handlers.routes\`, not here. */
export const routes = ({ ${given.join(', ')} }: RouteWiring<Resources, Operations, CodeRoutes>) =>
  ({
${lines.join('')}  }) satisfies Routes<Contract>;
`;
}

const callOf = (binding: RouteBinding): string =>
  'operationId' in binding
    ? `bind.${binding.bind}(${member(`${binding.bind}s`, binding.operationId)})`
    : `bind.${binding.bind}(${[binding.resource, ...(binding.by ?? [])].map(quote).join(', ')})`;

/** `operations.getStatus`, or `operations['get-status']`. */
export function member(object: string, name: string): string {
  const written = key(name);
  return written === name ? `${object}.${name}` : `${object}[${written}]`;
}
