import type { PathParams } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { HandlerContext } from '../engine/interface/field-handler.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';
import { notImplemented } from '../errors/api-error.ts';
import type { Answer } from './answer.ts';
import type { AnyRouteHandler, CustomReply } from './custom-handler.ts';
import { ifModified, taggedByCode, unconditional } from './made-answer.ts';
import type { Route } from './routes.ts';

export const NOT_IMPLEMENTED: Route<unknown, never> = {
  answer: () => {
    throw notImplemented();
  },
};

/** Answers a route by hand-written code. It keeps the access of the route, and gets the route itself as `next`. */
export function routeOfCode(
  engine: Engine,
  handler: AnyRouteHandler | undefined,
  route: Route = NOT_IMPLEMENTED as Route,
): Route {
  if (!handler) return route;
  return {
    ...route,
    isHandWritten: true,
    answer: (request, context) => {
      const { caller } = context;
      const { params } = request as { readonly params: PathParams };
      // The handler gets the reply of a custom operation as it was made, once it can be sent.
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
