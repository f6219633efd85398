import type { FastifyInstance } from 'fastify';

/** Levels at which requests are logged; at other levels, the hook is not even added. */
const VERBOSE = new Set(['debug', 'trace']);

/** Logs one line per request at level `debug`: method, path, status, duration, and the bindings of the request's log. */
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
