import type { IncomingHttpHeaders } from 'node:http';
import { BODY_INPUT } from '../../descriptor/operation-inputs.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Call, Caller, ListCall, PathParams, WriteCall } from '../engine/interface/call.ts';
import type { Engine, Page, ResourceActions } from '../engine/interface/engine.ts';
import type { ResourceMap, ResourceTypes } from '../engine/interface/resource-types.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import type { Inputs } from '../operations/input-check.ts';
import { createdReply, entityReply, entityTagOf, ResourceReply } from './answer.ts';
import { routeOfCode } from './code-route.ts';
import { unlessCurrent } from './conditional-reply.ts';
import type { AnyRouteHandler, CustomReply, CustomRequest } from './custom-handler.ts';
import { type AnswerIncluding, type Conditional, includingEntity, includingPage } from './include-reply.ts';
import { cachedPageReply } from './page-reply.ts';
import { expectationOf } from './preconditions.ts';
import type { ActionBinder, PageBody, ReplacedReply, RouteContext } from './routes.ts';

/** Binds operations to the actions of an engine. `digest`: of the contract. */
export function createRouteBinder<R extends ResourceMap<R>>(engine: Engine, digest: string): ActionBinder<R> {
  const actionsOf = <K extends keyof R>(key: K): ResourceActions<R[K]['resource']> => {
    const actions = engine.resources.get(key as string);
    if (!actions) throw new Error(`The contract has no resource ${String(key)}.`);
    return actions as ResourceActions<R[K]['resource']>;
  };
  const served = (key: keyof R, action: Action) => {
    const { actions, mapped } = actionsOf(key).descriptor;
    const declared = actions[action];
    if (!declared) throw new Error(`The resource ${String(key)} has no action ${action}.`);
    const ofOthers = mapped && { hasRowsOfOthers: true as const };
    return { action: { resource: key as string, action }, access: declared.access, ...ofOthers };
  };
  return {
    list(key) {
      const actions = actionsOf(key);
      const known = engine.isOverridden(key as string, 'list') ? undefined : digest;
      return { ...served(key, 'list'), answer: pageAnswer<R[typeof key]>(engine, actions, actions.list, known) };
    },
    through(key, operation) {
      const actions = actionsOf(key);
      const further = actions.furtherLists.get(operation);
      if (!further) throw new Error(`${String(key)} has no list ${operation}.`);
      const answer = pageAnswer<R[typeof key]>(engine, actions, further.list, digest);
      return { ...served(key, 'list'), access: further.access, answer };
    },
    get(key) {
      const actions = actionsOf(key);
      const { versionAlone } = actions;
      const readUnlessCurrent = (call: Call, headers: IncomingHttpHeaders) =>
        whenKnown(actions.get(call), (entity) =>
          unlessCurrent(entityTagOf(entity), headers, () => entityReply(entity)),
        );
      const plain = ({ params }: { readonly params: unknown }, { caller, headers }: RouteContext) => {
        const call = { caller, params: params as PathParams };
        if (!isConditional(headers)) return whenKnown(actions.get(call), entityReply);
        if (!versionAlone || headers['if-none-match'] === undefined) return readUnlessCurrent(call, headers);
        return whenKnown(actions.get({ ...call, asked: versionAlone }), (entity) =>
          unlessCurrent(entityTagOf(entity), headers, () => readUnlessCurrent(call, headers)),
        );
      };
      return { ...served(key, 'get'), answer: includable(actions.descriptor, plain, includingEntity(engine, actions)) };
    },
    create(key) {
      const actions = actionsOf(key);
      return {
        ...served(key, 'create'),
        answer: async ({ params, body }, { caller, headers }) => {
          const field = headers['idempotency-key'];
          const idempotencyKey = field === undefined ? undefined : readIdempotencyKey(field);
          const call = writeOf(caller, params as PathParams, body, headers);
          const made = await actions.create(idempotencyKey === undefined ? call : { ...call, idempotencyKey });
          return createdReply(made, made.location, made.isReplayed);
        },
      };
    },
    replace(key) {
      const actions = actionsOf(key);
      return {
        ...served(key, 'replace'),
        answer: async ({ params, body }, { caller, headers }) => {
          const call = writeOf(caller, params as PathParams, body, headers);
          const { entity, isCreated } = await actions.replace(call);
          const reply = isCreated ? createdReply(entity, actions.locationOf(call.params, entity)) : entityReply(entity);
          return reply as ReplacedReply<R[typeof key]>;
        },
      };
    },
    update(key) {
      const actions = actionsOf(key);
      return {
        ...served(key, 'update'),
        answer: async ({ params, body }, { caller, headers }) =>
          entityReply(await actions.update(writeOf(caller, params as PathParams, body, headers))),
      };
    },
    delete(key) {
      const actions = actionsOf(key);
      return {
        ...served(key, 'delete'),
        answer: async ({ params }, { caller, headers }) => {
          const expect = isConditional(headers) ? expectationOf(headers) : undefined;
          await actions.delete({ caller, params: params as PathParams, ...(expect && { expect }) });
          return NO_CONTENT;
        },
      };
    },
    operation: (operation) => ({
      isOperation: true,
      answer: (request, { caller, render }) =>
        operation.run(caller, inputsOf(request as CustomRequest), (answer) => render!(answer as CustomReply) as never),
    }),
    route: (handler) => routeOfCode(engine, handler as unknown as AnyRouteHandler | undefined) as never,
  };
}

export const NO_CONTENT = new ResourceReply<204, undefined>(204, {}, undefined, () => undefined);

/** The inputs of an operation, by their names. */
function inputsOf({ params, query, headers, cookies, body }: CustomRequest): Inputs {
  return { ...params, ...query, ...headers, ...cookies, ...(body !== undefined && { [BODY_INPUT]: body }) };
}

function writeOf(caller: Caller, params: PathParams, input: unknown, headers: IncomingHttpHeaders): WriteCall {
  if (!isConditional(headers)) return { caller, params, input };
  return { caller, params, input, expect: expectationOf(headers) };
}

const isConditional = (headers: IncomingHttpHeaders): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/** Answers with a page of a list, or 304. */
function pageAnswer<T extends ResourceTypes>(
  engine: Engine,
  { descriptor }: ResourceActions<T['resource']>,
  list: (call: ListCall) => MaybePromise<Page<T['resource']>>,
  digest: string | undefined,
) {
  const render = cachedPageReply<T>(descriptor, digest);
  const plain = (
    { params, query }: { readonly params: unknown; readonly query: unknown },
    { caller, queryText, headers }: RouteContext,
  ) => {
    const call = { caller, params: params as PathParams, query: query as ListCall['query'], queryText };
    return whenKnown(list(call), (page) => {
      const { etag, reply } = render(page);
      return isConditional(headers) ? unlessCurrent(etag, headers, reply) : reply();
    });
  };
  return includable(descriptor, plain, includingPage<PageBody<T>>(engine, descriptor, list));
}

/** The answer of a route whose requests may have `include`. Without it they are answered as if no request had. */
function includable<Request extends { readonly params: unknown; readonly query?: unknown }, Body>(
  { includes }: ResourceDescriptor,
  plain: (asked: Request, context: RouteContext) => MaybePromise<Conditional<Body>>,
  including: AnswerIncluding<Body>,
): typeof plain {
  if (!includes) return plain;
  return (asked, context) => {
    const { include, ...query } = (asked.query ?? {}) as ListCall['query'];
    if (include === undefined) return plain(asked, context);
    return including({ params: asked.params as PathParams, query, names: include as readonly string[] }, context);
  };
}
