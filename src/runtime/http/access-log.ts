import type { FastifyInstance } from 'fastify';

/** Levels at which requests are told; at others they cost nothing. */
const VERBOSE = new Set(['debug', 'trace']);

/** One line a request at level `debug`: method, path, status, milliseconds, and who asked under which id. */
export function registerAccessLog(app: FastifyInstance): void {
  if (!VERBOSE.has(app.log.level)) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const { statusCode: status, elapsedTime } = reply;
    const fields = { method, path: url.split('?', 1)[0], status, durationMs: Math.round(elapsedTime * 10) / 10 };
    request.log.debug(fields, 'answered');
    done();
  });
}
