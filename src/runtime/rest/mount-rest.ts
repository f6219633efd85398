import type { FastifyInstance, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { basePathOf } from '../../descriptor/base-path.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { ApiError } from '../errors/api-error.ts';
import { pathOf, type ReplyProblem } from '../http/problem-reply.ts';
import { allowedMethods, createAllowLookup, refuseMethod, routeOtherMethods } from './allow.ts';
import { type RestOperation, readOperations } from './operation.ts';
import { RouteCompiler, type RouteParts } from './route-compiler.ts';
import type { Route } from './routes.ts';

/**
 * Serves all operations of the document, and every other request to the app as a problem.
 * Throws `HandlerError` when a security scheme cannot be served.
 */
export async function mountRest(
  app: FastifyInstance,
  routes: ReadonlyMap<string, Route>,
  parts: RouteParts,
): Promise<void> {
  const { document, replyProblem } = parts;
  const methods = allowedMethods(readOperations(document));
  answerEverythingElse(app, createAllowLookup(basePathOf(document), methods), replyProblem);
  app.decorateRequest('admittedCaller', undefined);
  await mountOperations(app, routes, parts);
}

/** Serves the operations of a document, and nothing else. */
export async function mountOperations(
  app: FastifyInstance,
  routes: ReadonlyMap<string, Route>,
  parts: RouteParts,
  register: Register = registerByGlue,
): Promise<void> {
  const { document, replyProblem } = parts;
  const operations = readOperations(document);
  const basePath = basePathOf(document);
  const compiler = new RouteCompiler(parts);
  const compiled = new Map(
    operations.map((operation) => {
      const { operationId } = operation;
      return [operationId, compiler.compile(operation, routes.get(operationId)!)];
    }),
  );
  await app.register(async (scope) => {
    readBodiesAsBytes(scope, operations);
    leaveSchemasAlone(scope);
    await register(scope, document, compiled);
    for (const path of allowedMethods(operations)) routeOtherMethods(scope, basePath, path, replyProblem);
  });
}

type Register = (
  scope: FastifyInstance,
  document: OpenApiDocument,
  compiled: ReadonlyMap<string, RouteOptions>,
) => Promise<void>;

/** Without glue, which would judge a document once more that was judged when it was released. */
export const registerPlainly: Register = async (scope, document, compiled) => {
  for (const route of compiled.values()) scope.route({ ...route, url: basePathOf(document) + route.url });
};

/** Registers all operations with their schemas; glue leaves TRACE out. */
const registerByGlue: Register = async (scope, document, compiled) => {
  const prefix = basePathOf(document);
  const operationResolver = (operationId: string) => compiled.get(operationId)!;
  await scope.register(openapiGlue, {
    specification: forGlue(document),
    prefix,
    operationResolver,
    addCookieSchema: true,
  });
  for (const route of compiled.values())
    if (route.method === 'TRACE') scope.route({ ...route, url: prefix + route.url });
};

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

/** Bodies are decoded by the contract, not by Fastify. Glue asks for a parser of every media type by its name. */
function readBodiesAsBytes(scope: FastifyInstance, operations: readonly RestOperation[]): void {
  const contents = operations.flatMap(({ requestBody, responses }) => [requestBody, ...responses.values()]);
  const types = new Set(['*', ...contents.flatMap((one) => Object.keys(one?.content ?? {}))]);
  scope.removeAllContentTypeParsers();
  for (const type of types)
    if (!scope.hasContentTypeParser(type))
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/** Requests are validated and answers rendered by the contract: of the schemas, Fastify only tells its plugins. */
function leaveSchemasAlone(scope: FastifyInstance): void {
  scope.setValidatorCompiler(() => () => true);
  scope.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** A copy that glue may dereference in place. Fastify knows no body of methods that have none (RFC 9110, 9.3.1). */
function forGlue(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths)) {
    for (const method of ['get', 'head'] as const) {
      const operation: { requestBody?: unknown } | undefined = item[method];
      if (operation) delete operation.requestBody;
    }
  }
  return copy;
}
