import { lookUp } from '../../descriptor/look-up.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import { planRoutes, type RouteBinding } from '../../descriptor/wiring-plan.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';
import { HandlerError } from '../errors/handler-error.ts';
import type { RenderProblem } from '../http/problem.ts';
import type { Operations } from '../operations/create-operations.ts';
import { batchBinder } from './batch-reply.ts';
import { createRouteBinder, NO_CONTENT } from './bind-routes.ts';
import { NOT_IMPLEMENTED, routeOfCode } from './code-route.ts';
import type { AnyRouteHandler } from './custom-handler.ts';
import type { FurtherRequests, Route, RouteBinder, RouteWiring } from './routes.ts';
import { totalsBinder } from './totals-reply.ts';

/** The type of `routes` in `generated/routes.ts` for any contract. */
export type WireRoutes = (
  wiring: RouteWiring<AnyResources, Operations, RoutesOfCode>,
) => Readonly<Record<string, Route>>;

/** By operationId. */
type RoutesOfCode = Readonly<Record<string, AnyRouteHandler>>;

/** Wires a contract without emitted files: it calls the same binders, by the plan that the emitter prints. */
export function plannedRoutes(rest: RestDescriptor, resources: readonly ResourceDescriptor[]): WireRoutes {
  const plan = planRoutes(rest, resources);
  return ({ bind, operations, routes }) => {
    const routeOf = (id: string, binding: RouteBinding): Route => {
      if (!('operationId' in binding)) return bound(bind, binding);
      return binding.bind === 'route' ? bind.route(routes[id]!) : bind.operation(operations[id]!);
    };
    return Object.fromEntries([...plan].map(([id, binding]) => [id, routeOf(id, binding)]));
  };
}

/** Calls a binder as the emitted file does: `bind.through('labels', 'listLabelsOfIssue')`. */
function bound(
  bind: RouteBinder<AnyResources>,
  binding: Exclude<RouteBinding, { readonly operationId: string }>,
): Route {
  const call = bind[binding.bind] as (resource: string, ...by: readonly string[]) => Route;
  return call(binding.resource, ...(binding.by ?? []));
}

export interface RouteSources {
  readonly wire: WireRoutes;
  readonly engine: Engine;
  /** Of the contract. */
  readonly digest: string;
  readonly operations: Operations;
  /** Renders failures that are a part of an answer. */
  readonly renderProblem: RenderProblem;
  /** Code of routes. */
  readonly code: RoutesOfCode;
  /** A route that only HTTP has answers `NOT_IMPLEMENTED` without code. */
  readonly allowMissing: boolean;
}

/**
 * Wires all operations, including replacements. Throws `HandlerError` when the wiring does not have exactly the
 * operations of the contract, and when code is missing or does not belong to one.
 */
export function wireRoutes(
  operationIds: readonly string[],
  { wire, engine, digest, operations, renderProblem, code, allowMissing }: RouteSources,
): ReadonlyMap<string, Route> {
  const bind = {
    ...createRouteBinder<AnyResources>(engine, digest),
    totals: totalsBinder(engine),
    batch: batchBinder(engine, renderProblem),
    link: linkBinder(engine, 'create'),
    unlink: linkBinder(engine, 'delete'),
  };
  const routes = wire({ bind, operations, routes: code });
  const names = Object.keys(routes).filter((id) => routes[id] !== undefined);
  refuse(
    operationIds.filter((id) => !names.includes(id)),
    'No route for',
    '(generated/routes.ts; run `npm run generate`)',
  );
  refuse(
    names.filter((id) => !operationIds.includes(id)),
    'Routes for operations that the contract does not have:',
  );
  const missing = names.filter((id) => routes[id] === NOT_IMPLEMENTED);
  if (!allowMissing) refuse(missing, 'No handler for', '(handlers.routes)');
  refuse(
    Object.keys(code).filter((id) => !names.includes(id)),
    'Replacements of routes that the contract does not have (handlers.routes):',
  );
  return new Map(
    names.map((id) => {
      const route = routes[id]!;
      const own = Object.hasOwn(code, id) ? code[id] : undefined;
      return [id, route.isHandWritten ? route : routeOfCode(engine, own, route)];
    }),
  );
}

/** Binds operations to the links of an engine's resources. */
const linkBinder =
  ({ resources }: Pick<Engine, 'resources'>, action: 'create' | 'delete') =>
  (key: string, operation: string): Route<FurtherRequests['link'], never> => {
    const { access, run } = lookUp(lookUp(resources, key).links, operation);
    const route: Route<FurtherRequests['link']> = {
      action: { resource: key, action },
      access,
      answer: async ({ params }, { caller }) => {
        await run({ caller, params });
        return NO_CONTENT;
      },
    };
    return route as Route<FurtherRequests['link'], never>;
  };

function refuse(names: readonly string[], what: string, where?: string): void {
  if (names.length > 0) throw new HandlerError([what, names.join(', '), where].filter(Boolean).join(' '));
}
