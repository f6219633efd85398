import type { FastifyReply } from 'fastify';

/** An expected error. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, title: string, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.headers = headers;
  }
}

export const notFound = () => new HttpProblem(404, 'NOT_FOUND', 'Not found', 'No Product has this id.');

export const unauthenticated = (detail: string, challenge: string) =>
  new HttpProblem(401, 'UNAUTHENTICATED', 'Authentication required', detail, { 'www-authenticate': challenge });

/** Answers with a problem (RFC 9457). */
export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  const { url, id } = reply.request;
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      type: `/errors/${problem.code}`,
      title: problem.title,
      status: problem.status,
      detail: problem.message,
      instance: url.split('?', 1)[0],
      code: problem.code,
      requestId: id,
    });
}
