import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import { planRoutes, type RouteBinding } from '../../descriptor/wiring-plan.ts';
import type { PathParams } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { HandlerContext } from '../engine/interface/field-handler.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';
import { notImplemented } from '../errors/api-error.ts';
import { HandlerError } from '../errors/handler-error.ts';
import type { Answer } from './answer.ts';
import { createRouteBinder } from './bind-routes.ts';
import type { AnyRouteHandler, CustomHandler, CustomReply } from './custom-handler.ts';
import { ifModified, taggedByCode, unconditional } from './made-answer.ts';
import type { Route, RouteBinder, RouteWiring } from './routes.ts';

type CustomHandlers = Readonly<Record<string, CustomHandler>>;

/** The type of `routes` in `generated/routes.ts` for any contract. */
export type WireRoutes = (wiring: RouteWiring<AnyResources, CustomHandlers>) => Readonly<Record<string, Route>>;

/** Wires a contract without emitted files: it calls the same binders, by the plan that the emitter prints. */
export function plannedRoutes(rest: RestDescriptor, resources: readonly ResourceDescriptor[]): WireRoutes {
  const plan = planRoutes(rest, resources);
  return ({ bind, operations }) =>
    Object.fromEntries(
      [...plan].map(([id, binding]) => [
        id,
        binding.bind === 'operation' ? bind.operation(operations[id]!) : bound(bind, binding),
      ]),
    );
}

/** Calls a binder as the emitted file does: `bind.through('labels', 'listLabelsOfIssue')`. */
function bound(bind: RouteBinder<AnyResources>, binding: Exclude<RouteBinding, { readonly bind: 'operation' }>): Route {
  const call = bind[binding.bind] as (resource: string, ...by: readonly string[]) => Route;
  return call(binding.resource, ...(binding.by ?? []));
}

export interface RouteSources {
  readonly wire: WireRoutes;
  readonly engine: Engine;
  /** Of the contract. */
  readonly digest: string;
  /** Handlers of custom operations, by operationId. */
  readonly operations: CustomHandlers;
  /** Replacements of routes, by operationId. */
  readonly replacements: Readonly<Record<string, AnyRouteHandler>>;
  /** A custom operation without a handler answers `NOT_IMPLEMENTED`. */
  readonly allowMissing: boolean;
}

/**
 * Wires all operations, including replacements. Throws `HandlerError` when the wiring does not have exactly the
 * operations of the contract, and when a handler is missing or does not belong to an operation.
 */
export function wireRoutes(
  operationIds: readonly string[],
  { wire, engine, digest, operations, replacements, allowMissing }: RouteSources,
): ReadonlyMap<string, Route> {
  const bind = createRouteBinder<AnyResources>(engine, digest);
  const routes = wire({
    bind: { ...bind, operation: (handler) => (handler ? bind.operation(handler) : NOT_IMPLEMENTED) },
    operations,
  });
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
  const isCustom = (id: string): boolean => routes[id]!.action === undefined;
  const missing = names.filter((id) => routes[id] === NOT_IMPLEMENTED && !replacements[id]);
  if (!allowMissing) refuse(missing, 'No handler for', '(handlers.operations)');
  refuse(
    Object.keys(operations).filter((id) => !names.includes(id) || !isCustom(id)),
    'Handlers for operations that are not custom:',
  );
  refuse(
    Object.keys(replacements).filter((id) => !names.includes(id)),
    'Replacements of routes that the contract does not have (handlers.routes):',
  );
  return new Map(names.map((id) => [id, replaced(engine, routes[id]!, replacements[id])]));
}

function refuse(names: readonly string[], what: string, where?: string): void {
  if (names.length > 0) throw new HandlerError([what, names.join(', '), where].filter(Boolean).join(' '));
}

const NOT_IMPLEMENTED: Route<unknown, never> = {
  answer: () => {
    throw notImplemented();
  },
};

/** Replaces a route by hand-written code. It keeps the access of the route, and gets the route itself as `next`. */
function replaced(engine: Engine, route: Route, handler: AnyRouteHandler | undefined): Route {
  if (!handler) return route;
  return {
    ...route,
    isHandWritten: true,
    answer: (request, context) => {
      const { caller } = context;
      const { params } = request as { readonly params: PathParams };
      // The handler gets the reply of a custom operation as it was made, once it is known to be allowed.
      const render = (reply: CustomReply) => context.render!(reply) && reply;
      const isRead = context.isSafe && route.action !== undefined;
      const headers = isRead ? unconditional(context.headers) : context.headers;
      const own = { ...context, headers, queryText: undefined, render };
      let replied: unknown;
      const next = async (changed: unknown) => {
        replied = await route.answer(changed as never, own);
        return replied;
      };
      return engine.perform({ caller, params, reads: true }, async (reading) => {
        const handlerContext: HandlerContext<AnyResources> = {
          ...reading,
          transaction: (work) => engine.perform({ caller, params, reads: false }, work),
        };
        const answer = context.render!(await handler(request, handlerContext as never, next as never));
        if (!route.action) return answer;
        const tagged = taggedByCode(answer as Answer, replied as Answer | undefined);
        return isRead ? ifModified(tagged, context.headers) : tagged;
      });
    },
  };
}
