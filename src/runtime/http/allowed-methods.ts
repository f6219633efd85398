import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { ReplyProblem } from './problem-reply.ts';

/** The methods of one path. */
export interface AllowedMethods {
  /** The path in the syntax of Fastify's router. */
  readonly url: string;
  /** Matches the path. */
  readonly pattern: RegExp;
  /** Those that have a handler. */
  readonly served: ReadonlySet<string>;
  /** The `Allow` field: the same and OPTIONS. */
  readonly allow: string;
  /** Request header fields of each method that browsers do not send across origins unless they are allowed to. */
  readonly takes?: ReadonlyMap<string, readonly string[]>;
}

/** `OPTIONS` is answered on every path. */
export const allowOf = (served: ReadonlySet<string>): string => [...new Set([...served, 'OPTIONS'])].join(', ');

/** All paths that are served, for methods that the router does not know. */
export class AllowedPaths {
  readonly #paths: AllowedMethods[] = [];

  add(...paths: readonly AllowedMethods[]): void {
    this.#paths.push(...paths);
  }

  /** The first path that matches. */
  find(path: string): AllowedMethods | undefined {
    return this.#paths.find(({ pattern }) => pattern.test(path));
  }
}

/** Answers OPTIONS, and refuses every method that the router knows and the path does not serve. */
export function routeOtherMethods(
  scope: FastifyInstance,
  { url, served, allow }: AllowedMethods,
  replyProblem: ReplyProblem,
): void {
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

export function refuseMethod(
  allow: string,
  replyProblem: ReplyProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const detail = `${request.method} is not allowed on this path; ${allow} are.`;
  replyProblem(new ApiError('METHOD_NOT_ALLOWED', { detail, headers: { allow } }), request, reply);
}
