import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { type AllowedPaths, allowOf } from './allowed-methods.ts';
import type { ReplyProblem } from './problem-reply.ts';

/** Serves GET and HEAD on a path that is not the contract's, and refuses its other methods. */
export type ServePage = (url: string, handler: RouteHandlerMethod) => void;

const READING = new Set(['GET', 'HEAD']);

/** Serves pages of an app, in the syntax of its router; all of them become known to `paths`. */
export function createPages(app: FastifyInstance, paths: AllowedPaths, replyProblem: ReplyProblem): ServePage {
  return (url, handler) => {
    app.route({ method: [...READING], url, exposeHeadRoute: false, handler });
    paths.add({ url, served: READING, allow: allowOf(READING), replyProblem });
  };
}

/** Whether a caller has a page already, by `If-None-Match` (RFC 9110, 13.1.2: weak comparison). */
export const isCurrent = (field: string | undefined, etag: string): boolean =>
  field?.trim() === '*' || field?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true;
