import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../../descriptor/access.ts';
import type { Action, OwnRole } from '../../descriptor/resource.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Caller, ListCall, PathParams } from '../engine/interface/call.ts';
import type { HandlerContext } from '../engine/interface/field-handler.ts';
import type { FurtherNames, ResourceMap, ResourcesWith, ResourceTypes } from '../engine/interface/resource-types.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationReply, OperationRequest, OperationTypes } from '../operations/operation-types.ts';
import type { CustomReply } from './custom-handler.ts';

/** The original request of a decoded one, and its caller. */
export interface RouteContext {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  /** The header fields that the route heeds. */
  readonly headers: IncomingHttpHeaders;
  /** Whether the method only reads (RFC 9110, 9.2.1). */
  readonly isSafe: boolean;
  /** The query as JSON, if it is cached. */
  readonly queryText?: string | undefined;
  /** Renders the reply of hand-written code; undefined for other routes. */
  readonly render?: ((reply: CustomReply) => unknown) | undefined;
}

/** What answers an operation. `Request` is the decoded and validated request. */
export interface Route<Request = never, Reply = unknown> {
  /** The action that the engine serves by default; undefined: hand-written code. */
  readonly action?: { readonly resource: string; readonly action: Action };
  /** Who may call it: the access of the action; undefined: the operation's own. */
  readonly access?: Access;
  /** It has been replaced: the body is validated before it runs. */
  readonly isHandWritten?: boolean;
  /** It calls the code of every protocol: the body gets its defaults, and the answer has been checked. */
  readonly isOperation?: boolean;
  /** Others write the rows that it answers, which need not be as the contract says. */
  readonly hasRowsOfOthers?: true;
  /** It is forwarded to another version of the API, which counts the request. */
  readonly isForwarded?: boolean;
  readonly answer: (request: Request, context: RouteContext) => MaybePromise<Reply>;
}

/**
 * A route for each operation of a contract, by operationId; `Operations` are those of openapi-typescript.
 * @example
 * import type { Routes } from 'lockstep';
 * import { routes } from '../../generated/routes.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * export const isComplete = (wiring: Parameters<typeof routes>[0]): Routes<operations> => routes(wiring);
 */
export type Routes<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? Route<OperationRequest<Operations[Id]>, OperationReply<Operations[Id]>>
    : never;
};

/** The parts of a request that a binder reads. */
export interface Read<Params> {
  readonly params: Params;
}
export interface Listed<Params, Query> extends Read<Params> {
  readonly query: Query;
}
export interface Written<Params, Body> extends Read<Params> {
  readonly body: Body;
}
export interface Reply<Status, Body> {
  readonly status: Status;
  readonly body: Body;
}

/** The caller has the current representation (RFC 9110, 15.4.5). */
type NotModified = Reply<304, undefined>;

/** 201 only where the contract says that `PUT` creates. */
export type ReplacedReply<T extends ResourceTypes> =
  | Reply<200, T['resource']>
  | (T extends { readonly creates: true } ? Reply<201, T['resource']> : never);

/** A page of a list as the body of a REST response. */
export interface PageBody<T extends ResourceTypes> {
  data: T['resource'][];
  page: T extends { readonly nameCase: 'snake_case' }
    ? { next_cursor: string | null; total_count?: number } & Preceded<T, 'previous_cursor'> &
        Bounded<T, 'total_count_is_exact'>
    : { nextCursor: string | null; totalCount?: number } & Preceded<T, 'previousCursor'> &
        Bounded<T, 'totalCountIsExact'>;
}

type Preceded<T extends ResourceTypes, Name extends string> = T extends { readonly pagesBack: true }
  ? { [_ in Name]: string | null }
  : unknown;

type Bounded<T extends ResourceTypes, Name extends string> = T extends { readonly countIsBounded: true }
  ? { [_ in Name]?: boolean }
  : unknown;

/** What further operations read of a request. */
export interface FurtherRequests {
  readonly totals: { readonly params: PathParams; readonly query: ListCall['query'] };
  readonly batch: { readonly params: PathParams; readonly body: unknown };
  readonly link: { readonly params: PathParams };
  readonly unlink: { readonly params: PathParams };
}

/** Binds operations to the further ones of resources. */
export type FurtherBinder<R extends ResourceMap<R>> = {
  readonly [O in OwnRole]: <K extends keyof R & string>(
    resource: K,
    operation: FurtherNames<R[K], O>,
  ) => Route<FurtherRequests[O], never>;
};

/** Binds operations to the six actions, lists through other resources, and code. */
export interface ActionBinder<R extends ResourceMap<R>> {
  list<K extends ResourcesWith<R, 'list'>>(
    resource: K,
  ): Route<Listed<R[K]['params'], R[K]['query']>, Reply<200, PageBody<R[K]>> | NotModified>;
  /** The list of what another resource joins to the row that the path names. */
  through<K extends ResourcesWith<R, 'list'>>(
    resource: K,
    operation: FurtherNames<R[K], 'list'>,
  ): Route<Listed<unknown, R[K]['query']>, Reply<200, PageBody<R[K]>> | NotModified>;
  /** With a property, it is read by that. */
  get<K extends ResourcesWith<R, 'get'>>(
    resource: K,
    by?: FurtherNames<R[K], 'get'>,
  ): Route<Read<R[K]['params']>, Reply<200, R[K]['resource']> | NotModified>;
  create<K extends ResourcesWith<R, 'create'>>(
    resource: K,
  ): Route<Written<R[K]['params'], R[K]['input']>, Reply<201, R[K]['resource']>>;
  replace<K extends ResourcesWith<R, 'replace'>>(
    resource: K,
  ): Route<Written<R[K]['params'], R[K]['input']>, ReplacedReply<R[K]>>;
  update<K extends ResourcesWith<R, 'update'>>(
    resource: K,
  ): Route<Written<R[K]['params'], R[K]['patch']>, Reply<200, R[K]['resource']>>;
  delete<K extends ResourcesWith<R, 'delete'>>(resource: K): Route<Read<R[K]['params']>, Reply<204, undefined>>;
  /** A custom operation. Its code runs in a transaction unless it only reads. */
  operation(operation: Operation): Route<unknown, never>;
  /** A custom operation that only HTTP has. Its code reads, and writes in a transaction of its own. */
  route<Request, Answer>(
    handler: (request: Request, context: never, next: never) => Answer | Promise<Answer>,
  ): Route<Request, Answer>;
}

/** Binds operations to actions: `bind.list('products')` is the list action of the resource `products`. */
export interface RouteBinder<R extends ResourceMap<R>> extends ActionBinder<R>, FurtherBinder<R> {}

/**
 * The argument of `routes` in `generated/routes.ts`: `bind` binds operations to the actions of resources, `operations` has
 * the custom ones, and `routes` the code of those that only HTTP has.
 * @example
 * import type { RouteWiring } from 'lockstep';
 * import type { CodeRoutes, Operations, Resources } from '../../generated/handlers.ts';
 *
 * const some = ({ bind }: RouteWiring<Resources, Operations, CodeRoutes>) => ({ getProduct: bind.get('products') });
 */
export interface RouteWiring<R extends ResourceMap<R>, Operations, Routes> {
  readonly bind: RouteBinder<R>;
  readonly operations: { readonly [Id in keyof Operations]: Operation };
  readonly routes: Routes;
}

/**
 * Hand-written code in place of what `generated/routes.ts` binds an operation to, over REST only. It runs after
 * authorization, limits and validation; `next` is what it replaces. It writes in `context.transaction`. Throws `ApiError`
 * for an error of the catalogue.
 * @example
 * import type { RouteHandler } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * export const getProduct: RouteHandler<operations['getProduct'], Resources> = async (request, { caller }, next) => {
 *   caller.log.info({ id: request.params.productId }, 'a product is looked at');
 *   return next(request);
 * };
 */
export type RouteHandler<Operation extends OperationTypes, R, Code extends string = string> = (
  request: OperationRequest<Operation>,
  context: HandlerContext<R, Code>,
  next: (request: OperationRequest<Operation>) => Promise<OperationReply<Operation>>,
) => OperationReply<Operation> | Promise<OperationReply<Operation>>;

/**
 * Code of routes, by operationId: the member `routes` of a contract's handlers. What only HTTP has (`Needed`) has no other;
 * other routes are replaced.
 * @example
 * import type { RouteHandlers } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * export const routes: RouteHandlers<operations, Resources> = {
 *   getProduct: (request, _context, next) => next(request),
 * };
 */
export type RouteHandlers<
  Operations,
  R,
  Codes extends object = object,
  Needed extends keyof Operations = never,
> = AllRoutes<Pick<Operations, Needed>, R, Codes> & Partial<AllRoutes<Omit<Operations, Needed>, R, Codes>>;

type AllRoutes<Operations, R, Codes extends object> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? RouteHandler<Operations[Id], R, Id extends keyof Codes ? Codes[Id] & string : string>
    : never;
};
