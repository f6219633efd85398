import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { FailureLog } from '../errors/failure-log.ts';
import { type ReportFailure, reportedFailure } from '../errors/report-failure.ts';
import { toApiError } from './framework-error.ts';
import { PROBLEM_MEDIA_TYPE, type RenderProblem } from './problem.ts';

type Fields = Readonly<Record<string, OutgoingHttpHeader | undefined>>;

/** Answers a request with the problem for any thrown value. `fields`: those of a reply that no hook looks at, or changes. */
export type ReplyProblem = (thrown: unknown, request: FastifyRequest, reply: FastifyReply, fields?: Fields) => void;

/** Without the charset, Fastify would add it. */
const PROBLEM_TYPE = `${PROBLEM_MEDIA_TYPE}; charset=utf-8`;

/** What is unexpected goes to `report` in development. */
export function createProblemReply(render: RenderProblem, failures: FailureLog, report?: ReportFailure): ReplyProblem {
  return (thrown, request, reply, fields) => {
    const known = toApiError(thrown);
    const detail = reportedFailure(known, report);
    const error =
      detail === undefined ? known : new ApiError('INTERNAL_ERROR', { detail, cause: known.cause ?? known });
    const { status, headers, body } = render(error, { instance: pathOf(request), requestId: request.id });
    failures.tell(error, status, request.log);
    if (fields && headers['content-type'] === PROBLEM_MEDIA_TYPE) {
      const length = String(Buffer.byteLength(body));
      const own = { ...fields, ...headers, 'content-type': PROBLEM_TYPE, 'content-length': length };
      reply.raw.writeHead(status, own).end(body);
      return;
    }
    reply.code(status).headers(fields ?? {});
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
