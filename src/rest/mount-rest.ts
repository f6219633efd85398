import type { FastifyInstance, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { authorize } from '../auth/authorize.ts';
import type { OpenApiDocument } from '../descriptor/document.ts';
import type { ErrorCatalogue } from '../descriptor/error.ts';
import { ACTIONS, type Action, type ResourceDescriptor } from '../descriptor/resource.ts';
import type { Engine } from '../engine/engine.ts';
import { ApiError } from '../errors/api-error.ts';
import { createProblemRenderer } from '../errors/problem.ts';
import { Pickers } from '../schema/pick.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import { allowedMethods, createAllowLookup, refuseMethod, routeOtherMethods } from './allow.ts';
import { type CustomHandler, customAnswer } from './custom-answer.ts';
import { deprecationHeaders } from './deprecation.ts';
import { type Authenticate, Identification } from './identification.ts';
import { createNegotiation } from './negotiation.ts';
import { type RestOperation, readOperations } from './operation.ts';
import type { SecurityHandler } from './operation-handler.ts';
import { createParametersReader } from './parameters/parameters-reader.ts';
import { createProblemReply, pathOf, type ReplyProblem } from './problem-reply.ts';
import { createBodyReader } from './request-body.ts';
import { resourceAnswer } from './resource-answers.ts';
import { createResponseCheck } from './response-check.ts';
import { admissionHook, type Route, routeHandler } from './route.ts';
import { basePathOf, routePathOf } from './route-path.ts';

export type { CustomHandler };

export interface RestOptions {
  /** The bundled document: the only source of routes. */
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  readonly engine: Engine;
  readonly schemas: SchemaRegistry;
  readonly authenticate: Authenticate;
  /** Handlers of custom operations by operationId. */
  readonly operations?: Readonly<Record<string, CustomHandler>>;
  /** Handlers of security schemes that are no bearer tokens, by name. */
  readonly security?: Readonly<Record<string, SecurityHandler>>;
  /** Custom operations without a handler answer `NOT_IMPLEMENTED` instead of failing the boot. */
  readonly allowMissing?: boolean;
  /** Hold every response against the contract; a deviation is logged and answered as `INTERNAL_ERROR`. */
  readonly checkResponses?: boolean;
  /** Where the documentation of error codes lives; `/errors` if left out. */
  readonly errorsUrl?: string;
}

/**
 * Serves all operations of the document, and every other request to the app as a problem.
 * Throws when handlers and operations do not match, or a security scheme cannot be served.
 */
export async function mountRest(app: FastifyInstance, options: RestOptions): Promise<void> {
  const { document } = options;
  const operations = readOperations(document);
  checkHandlers(operations, options);
  const basePath = basePathOf(document);
  const replyProblem = createProblemReply(createProblemRenderer(options.errors, options.errorsUrl));
  const methods = allowedMethods(operations);
  answerEverythingElse(app, createAllowLookup(basePath, methods), replyProblem);

  const routes = new RouteCompiler(options, basePath, replyProblem);
  const compiled = new Map(operations.map((operation) => [operation.operationId, routes.compile(operation)]));
  const traces = operations
    .filter(({ method }) => method === 'trace')
    .map(({ operationId }) => compiled.get(operationId)!);
  await app.register(async (scope) => {
    readBodiesAsBytes(scope);
    await scope.register(openapiGlue, {
      specification: skeletonOf(operations),
      prefix: basePath,
      operationResolver: (operationId: string) => compiled.get(operationId)!,
    });
    // Glue leaves TRACE out.
    for (const trace of traces) scope.route({ ...trace, url: basePath + trace.url });
    for (const path of methods) routeOtherMethods(scope, basePath, path, replyProblem);
  });
}

/** All custom operations have a handler, and all handlers have a custom operation. */
function checkHandlers(operations: readonly RestOperation[], options: RestOptions): void {
  const ofResources = new Set(resourceActions(options.resources).map(({ operationId }) => operationId));
  const custom = operations.filter(({ operationId }) => !ofResources.has(operationId));
  const handlers = Object.keys(options.operations ?? {});
  const missing = custom.filter(({ operationId }) => !handlers.includes(operationId));
  const extra = handlers.filter((name) => !custom.some(({ operationId }) => operationId === name));
  if (missing.length > 0 && !options.allowMissing)
    throw new Error(`No handler for ${missing.map(({ operationId }) => operationId).join(', ')} (handlers.operations)`);
  if (extra.length > 0) throw new Error(`Handlers for operations that are not custom: ${extra.join(', ')}`);
}

function resourceActions(resources: readonly ResourceDescriptor[]) {
  return resources.flatMap(({ key, actions }) =>
    ACTIONS.flatMap((action) => {
      const declared = actions[action];
      return declared ? [{ key, action, operationId: declared.operationId }] : [];
    }),
  );
}

/** Fails, 404s and errors of other routes, all as problems. */
function answerEverythingElse(
  app: FastifyInstance,
  allowOf: (path: string) => string | undefined,
  replyProblem: ReplyProblem,
): void {
  app.setErrorHandler((error, request, reply) => replyProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const allow = allowOf(pathOf(request));
    if (allow !== undefined) return refuseMethod(allow, replyProblem, request, reply);
    replyProblem(new ApiError('NOT_FOUND', { detail: 'Nothing is at this path.' }), request, reply);
  });
}

/** Bodies are decoded by the contract, not by Fastify. */
function readBodiesAsBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/** What glue needs to know of the document: it maps operations to routes, nothing else. */
function skeletonOf(operations: readonly RestOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operationId } of operations) {
    paths[path] ??= {};
    paths[path][method] = { operationId, responses: { default: { description: '' } } };
  }
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths };
}

/** Decides at boot everything that the contract says of an operation. */
class RouteCompiler {
  readonly #options: RestOptions;
  readonly #basePath: string;
  readonly #replyProblem: ReplyProblem;
  readonly #identification: Identification;
  readonly #pickers: Pickers;
  readonly #actions: ReadonlyMap<string, { readonly key: string; readonly action: Action }>;

  constructor(options: RestOptions, basePath: string, replyProblem: ReplyProblem) {
    this.#options = options;
    this.#basePath = basePath;
    this.#replyProblem = replyProblem;
    this.#identification = new Identification(options.document, options.authenticate, options.security);
    this.#pickers = new Pickers(options.document, options.schemas);
    this.#actions = new Map(resourceActions(options.resources).map(({ operationId, ...rest }) => [operationId, rest]));
  }

  compile(operation: RestOperation): RouteOptions {
    const { document, schemas, checkResponses } = this.#options;
    const action = this.#actions.get(operation.operationId);
    const offered = successTypes(operation);
    const route: Route = {
      identify: this.#identification.of(operation),
      negotiate: offered.length > 0 ? createNegotiation(offered) : undefined,
      readParameters: createParametersReader(document, operation.parameters, schemas),
      body: createBodyReader(operation.requestBody, schemas),
      headers: deprecationHeaders(operation),
      check: checkResponses ? createResponseCheck(operation, schemas) : undefined,
      replyProblem: this.#replyProblem,
      ...(action ? this.#resource(action.key, action.action) : this.#custom(operation)),
    };
    const declaresHead = document.paths[operation.path]!.head !== undefined;
    return routeOptions(operation, route, declaresHead);
  }

  #resource(key: string, action: Action): Pick<Route, 'authorize' | 'answer' | 'validatesBody'> {
    const actions = this.#options.engine.resources.get(key);
    if (!actions) throw new Error(`The engine does not serve ${key}`);
    const answer = resourceAnswer(actions, action, this.#basePath);
    return {
      authorize: (caller) => actions.authorize(action, caller),
      validatesBody: false,
      answer: ({ caller, parameters, body, request }) =>
        answer({
          caller,
          params: parameters.path,
          query: parameters.query,
          headers: request.headers,
          input: body?.value,
        }),
    };
  }

  #custom(operation: RestOperation): Pick<Route, 'authorize' | 'answer' | 'validatesBody'> {
    const handler = this.#options.operations?.[operation.operationId] ?? notImplemented;
    return {
      authorize: ({ principal }) => authorize(operation.access, principal),
      validatesBody: true,
      answer: customAnswer(operation, handler, this.#options.engine.perform, this.#pickers),
    };
  }
}

const notImplemented = (): never => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the operation.' });
};

/** Media types of successful responses, the first one preferred. */
function successTypes({ responses }: RestOperation): readonly string[] {
  const successes = [...responses].filter(([status]) => status.startsWith('2'));
  return [...new Set(successes.flatMap(([, response]) => Object.keys(response.content ?? {})))];
}

/** Methods whose requests Fastify does not read a body of. */
const BODYLESS = new Set(['get', 'head', 'trace']);

function routeOptions({ path, method }: RestOperation, route: Route, declaresHead: boolean): RouteOptions {
  const handler = routeHandler(route);
  const url = routePathOf(path);
  const common = { url, exposeHeadRoute: false, handler };
  if (method === 'get') return { ...common, method: declaresHead ? 'GET' : ['GET', 'HEAD'] };
  const shared = { ...common, method: method.toUpperCase() };
  return BODYLESS.has(method) ? shared : { ...shared, onRequest: admissionHook(route) };
}
