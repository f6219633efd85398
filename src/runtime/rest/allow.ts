import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import type { RestOperation } from './operation.ts';
import { pathPatternOf, routePathOf } from './parameters/route-path.ts';

/** The methods of one path. */
export interface AllowedMethods {
  readonly path: string;
  /** Those that the contract declares, and HEAD where it declares GET. */
  readonly served: ReadonlySet<string>;
  /** The `Allow` field: the same and OPTIONS. */
  readonly allow: string;
}

export function allowedMethods(operations: readonly RestOperation[]): readonly AllowedMethods[] {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of operations) {
    const served = byPath.get(path) ?? new Set();
    byPath.set(path, served.add(method.toUpperCase()));
    if (method === 'get') served.add('HEAD');
  }
  return [...byPath].map(([path, served]) => ({
    path,
    served,
    allow: [...served].concat(optionsOf(served)).join(', '),
  }));
}

const optionsOf = (served: ReadonlySet<string>): readonly string[] => (served.has('OPTIONS') ? [] : ['OPTIONS']);

/** Answers OPTIONS, and every method that the router knows and the contract does not declare, on one path. */
export function routeOtherMethods(
  scope: FastifyInstance,
  basePath: string,
  { path, served, allow }: AllowedMethods,
  replyProblem: ReplyProblem,
): void {
  const url = basePath + routePathOf(path);
  const handler = () => undefined;
  const others = scope.supportedMethods.filter((method) => method !== 'OPTIONS' && !served.has(method));
  if (others.length > 0) {
    const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
      refuseMethod(allow, replyProblem, request, reply);
    scope.route({ method: others, url, exposeHeadRoute: false, onRequest, handler });
  }
  if (served.has('OPTIONS')) return;
  const onRequest = (_: FastifyRequest, reply: FastifyReply) => void reply.code(204).header('allow', allow).send();
  scope.route({ method: 'OPTIONS', url, onRequest, handler });
}

/** Finds the `Allow` of a path, if it is one of the contract's, for methods that the router does not know. */
export function createAllowLookup(
  basePath: string,
  methods: readonly AllowedMethods[],
): (path: string) => string | undefined {
  const byParameters = [...methods].sort((a, b) => countParameters(a.path) - countParameters(b.path));
  const patterns = byParameters.map(({ path, allow }) => ({ pattern: pathPatternOf(basePath + path), allow }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.allow;
}

const countParameters = (path: string): number => path.split('{').length;

export function refuseMethod(
  allow: string,
  replyProblem: ReplyProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const detail = `${request.method} is not allowed on this path; ${allow} are.`;
  replyProblem(new ApiError('METHOD_NOT_ALLOWED', { detail, headers: { allow } }), request, reply);
}
