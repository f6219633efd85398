import type { FastifyRequest } from 'fastify';
import { lookUp } from '../../descriptor/look-up.ts';
import type { Engine } from '../engine/interface/engine.ts';
import { batchText } from '../engine/lists/batch-text.ts';
import { toApiError } from '../http/framework-error.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import type { RenderProblem } from '../http/problem.ts';
import { pathOf } from '../http/problem-reply.ts';
import { entityTagOf, JSON_TYPE, ResourceReply } from './answer.ts';
import type { FurtherRequests, Route } from './routes.ts';

type Sent = FurtherRequests['batch'];

/** Binds operations to the batches of an engine's resources. `renderProblem`: the failures of items. */
export const batchBinder =
  (engine: Pick<Engine, 'resources'>, renderProblem: RenderProblem) =>
  (key: string, operation: string): Route<Sent, never> => {
    const { access, run } = lookUp(lookUp(engine.resources, key).batches, operation);
    const route: Route<Sent> = {
      action: { resource: key, action: 'create' },
      access,
      answer: async ({ params, body }, { caller, headers, request }) => {
        const field = headers['idempotency-key'];
        const idempotencyKey = field === undefined ? undefined : readIdempotencyKey(field);
        const results = await run({ caller, params, input: body, idempotencyKey });
        const text = batchText(results, (error) => failureText(error, request, renderProblem), entityTagOf);
        return new ResourceReply(200, { 'content-type': JSON_TYPE }, text, () => JSON.parse(text));
      },
    };
    return route as Route<Sent, never>;
  };

/** A failure is a problem (RFC 9457). */
function failureText(error: Error, request: FastifyRequest, renderProblem: RenderProblem): string {
  const known = toApiError(error);
  const { status, body } = renderProblem(known, { instance: pathOf(request), requestId: request.id });
  if (status >= 500) request.log.error({ err: known.cause ?? known }, 'an item of a batch failed');
  return `{"status":${status},"error":${body}}`;
}
