import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { basePathOf } from '../../descriptor/base-path.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { sentShape } from '../../descriptor/sent-path.ts';
import type { Admission } from '../admission/admission.ts';
import { addressOf } from '../async/caller-key.ts';
import { ApiError } from '../errors/api-error.ts';
import { refuseOtherMethods } from '../http/allowed-methods.ts';
import { collectBodies } from '../http/collect-body.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import { commonFields } from '../schema/credential-fields.ts';
import { allowedMethods } from './allow.ts';
import { glueDocument, loadGlue } from './glue.ts';
import { RouteCompiler, type RouteParts } from './route-compiler.ts';
import type { Route } from './routes.ts';

/**
 * Serves all operations of the document, and answers any other request to the app with a problem. Throws
 * `HandlerError` when a security scheme cannot be served.
 */
export async function mountRest(
  app: FastifyInstance,
  routes: ReadonlyMap<string, Route>,
  parts: RouteParts,
  replyUnknown?: ReplyUnknown,
): Promise<void> {
  await answerEverythingElse(app, parts, replyUnknown);
  await mountOperations(app, routes, parts);
}

/** Serves only the operations of a document. */
export async function mountOperations(
  app: FastifyInstance,
  routes: ReadonlyMap<string, Route>,
  parts: RouteParts,
): Promise<void> {
  const { document, rest, paths } = parts;
  const operations = reachableOperations(rest.operations);
  const prefix = basePathOf(document);
  const replyProblem = countedProblems(parts);
  for (const path of allowedMethods(operations, prefix, commonFields(rest))) paths.add({ ...path, replyProblem });
  const compiler = new RouteCompiler(parts);
  const compiled = new Map(
    operations.map((operation) => {
      const { operationId } = operation;
      return [operationId, compiler.compile(operation, lookUp(routes, operationId))];
    }),
  );
  await app.register(async (scope) => {
    readBodiesAsBytes(scope, parts.admission);
    await registerByGlue(scope, prefix, operations, compiled);
  });
}

/**
 * Those that requests can name. What follows `#` in a path is never sent (RFC 9110, 4.2.5), and names of parameters are not
 * either: of operations of one method and path the first one is served, and one without a `#` before one with it.
 */
function reachableOperations(operations: readonly OperationDescriptor[]): readonly OperationDescriptor[] {
  const served = new Map<string, OperationDescriptor>();
  for (const operation of operations) {
    const { method, path } = operation;
    const key = `${method} ${sentShape(path)}`;
    const known = served.get(key);
    if (!known || (known.path.includes('#') && !path.includes('#'))) served.set(key, operation);
  }
  const reachable = new Set(served.values());
  return operations.filter((operation) => reachable.has(operation));
}

/** Has glue register all operations; it does not support TRACE. */
async function registerByGlue(
  scope: FastifyInstance,
  prefix: string,
  operations: readonly OperationDescriptor[],
  compiled: ReadonlyMap<string, RouteOptions>,
): Promise<void> {
  const operationResolver = (operationId: string) => lookUp(compiled, operationId);
  await scope.register(await loadGlue(), { specification: glueDocument(operations), prefix, operationResolver });
  for (const route of compiled.values())
    if (route.method === 'TRACE') scope.route({ ...route, url: prefix + route.url });
}

/** Answers an unknown path, or leaves it to be answered with a problem. */
type ReplyUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined;

/** Answers unknown paths and methods, and errors of any route, with problems; `replyUnknown` may answer unknown paths. */
async function answerEverythingElse(
  app: FastifyInstance,
  parts: RouteParts,
  replyUnknown: ReplyUnknown | undefined,
): Promise<void> {
  const { admission, paths, replyProblem } = parts;
  app.setErrorHandler((error, request, reply) => replyProblem(error, request, reply));
  await app.register(async (scope) => {
    readBodiesAsBytes(scope, parts.admission);
    refuseOtherMethods(scope, paths);
    scope.setNotFoundHandler((request, reply) => {
      const thrown = new ApiError('NOT_FOUND', { detail: 'There is nothing at this path.' });
      const answer = () => replyUnknown?.(request, reply) ?? replyProblem(thrown, request, reply);
      return admission.answerCounted(replyProblem, request, reply, answer);
    });
  });
}

/** Replies with problems to requests that no operation answers: they count as others do. */
const countedProblems =
  ({ admission, replyProblem }: RouteParts): ReplyProblem =>
  (thrown, request, reply) =>
    admission.answerCounted(replyProblem, request, reply, () => replyProblem(thrown, request, reply));

/** Leaves decoding to our body readers. */
function readBodiesAsBytes(scope: FastifyInstance, admission: Admission): void {
  scope.removeAllContentTypeParsers();
  collectBodies(scope, {
    limit: scope.initialConfig.bodyLimit!,
    turnOf: (request) => admission.turns.turnOf(request.admitted?.caller ?? addressOf(request)),
  });
}
