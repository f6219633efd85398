import type { FastifyInstance } from 'fastify';
import type { ErrorCatalogue, ErrorDescriptor } from './descriptor/error.ts';

/** Where the `type` of a problem leads: what the code means, in plain text. */
export function registerErrorPages(app: FastifyInstance, errors: ErrorCatalogue): void {
  for (const error of Object.values(errors)) {
    const page = pageOf(error);
    app.get(`/errors/${error.code}`, (_request, reply) => reply.type('text/plain; charset=utf-8').send(page));
  }
}

function pageOf({ code, status, title, description, retryable }: ErrorDescriptor): string {
  const retry = retryable ? 'The same request may succeed later.' : 'The same request will fail again.';
  return `${code}\n${status} ${title}\n\n${description}\n${retry}\n`;
}
