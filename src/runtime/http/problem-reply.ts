import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { FailureLog } from '../errors/failure-log.ts';
import type { RenderProblem } from '../errors/problem.ts';
import { type ReportFailure, reportedFailure } from '../errors/report-failure.ts';
import { toApiError } from './framework-error.ts';

/** Answers a request with the problem for any thrown value. */
export type ReplyProblem = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** What is unexpected goes to `report` in development. */
export function createProblemReply(render: RenderProblem, failures: FailureLog, report?: ReportFailure): ReplyProblem {
  return (thrown, request, reply) => {
    const known = toApiError(thrown);
    const detail = reportedFailure(known, report);
    const error =
      detail === undefined ? known : new ApiError('INTERNAL_ERROR', { detail, cause: known.cause ?? known });
    const { status, headers, body } = render(error, { instance: pathOf(request), requestId: request.id });
    failures.tell(error, status, request.log);
    reply.code(status);
    for (const name in headers) reply.header(name, headers[name]);
    reply.send(body);
  };
}

/** The request's path without its query. */
export function pathOf(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
