import type { FastifyInstance, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { basePathOf } from '../../descriptor/base-path.ts';
import { ApiError } from '../errors/api-error.ts';
import { createProblemRenderer } from '../errors/problem.ts';
import { createProblemReply, pathOf, type ReplyProblem } from '../http/problem-reply.ts';
import { allowedMethods, createAllowLookup, refuseMethod, routeOtherMethods } from './allow.ts';
import type { CustomHandler } from './custom-answer.ts';
import { checkHandlers } from './handler-check.ts';
import { type RestOperation, readOperations } from './operation.ts';
import type { RestOptions } from './rest-options.ts';
import { RouteCompiler } from './route-compiler.ts';

export type { CustomHandler, RestOptions };

/**
 * Serves all operations of the document, and every other request to the app as a problem.
 * Throws when handlers and operations do not match, or a security scheme cannot be served.
 */
export async function mountRest(app: FastifyInstance, options: RestOptions): Promise<void> {
  const operations = readOperations(options.document);
  checkHandlers(operations, options);
  const replyProblem = createProblemReply(createProblemRenderer(options.errors, options.errorsUrl));
  answerEverythingElse(app, createAllowLookup(basePathOf(options.document), allowedMethods(operations)), replyProblem);
  await mountOperations(app, options);
}

/** Serves the operations of a document, and nothing else. */
export async function mountOperations(app: FastifyInstance, options: RestOptions): Promise<void> {
  const { document } = options;
  const operations = readOperations(document);
  const basePath = basePathOf(document);
  const replyProblem = createProblemReply(createProblemRenderer(options.errors, options.errorsUrl));
  const methods = allowedMethods(operations);
  const routes = new RouteCompiler(options, basePath, replyProblem);
  const compiled = new Map(operations.map((operation) => [operation.operationId, routes.compile(operation)]));
  await app.register(async (scope) => {
    readBodiesAsBytes(scope);
    // Glue judges the document once more, which an old one has been through.
    if (options.forward) for (const route of compiled.values()) scope.route({ ...route, url: basePath + route.url });
    else await glue(scope, operations, basePath, compiled);
    for (const path of methods) routeOtherMethods(scope, basePath, path, replyProblem);
  });
}

/** Registers all operations; glue leaves TRACE out. */
async function glue(
  scope: FastifyInstance,
  operations: readonly RestOperation[],
  prefix: string,
  compiled: ReadonlyMap<string, RouteOptions>,
): Promise<void> {
  const operationResolver = (operationId: string) => compiled.get(operationId)!;
  await scope.register(openapiGlue, { specification: skeletonOf(operations), prefix, operationResolver });
  for (const { operationId, method } of operations) {
    const route = compiled.get(operationId)!;
    if (method === 'trace') scope.route({ ...route, url: prefix + route.url });
  }
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
