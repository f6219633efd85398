import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../errors/api-error.ts';
import type { Cors } from './cors.ts';
import { requestIdOf } from './messages.ts';
import type { RenderProblem } from './problem.ts';

/**
 * Answers a request that no route handles. `keepsAlive`: the connection serves the next request. It must be closed if this
 * one has a body that is not read.
 */
export type Refuse = (error: ApiError, request: IncomingMessage, response: ServerResponse, keepsAlive: boolean) => void;

export function createRefusal(render: RenderProblem, cors: Cors): Refuse {
  return (error, request, response, keepsAlive) => {
    const [instance = '/'] = request.url!.split('?', 1);
    const { status, headers, body } = render(error, {
      instance: instance.slice(0, 200),
      requestId: requestIdOf(request),
    });
    const length = Buffer.byteLength(body);
    response.writeHead(status, {
      ...headers,
      ...cors.fieldsFor(request.headers.origin),
      'content-length': length,
      ...(!keepsAlive && { connection: 'close' }),
    });
    response.end(body);
  };
}
