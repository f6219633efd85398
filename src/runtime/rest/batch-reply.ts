import type { FastifyRequest } from 'fastify';
import { lookUp } from '../../descriptor/look-up.ts';
import type { PathParams } from '../engine/interface/call.ts';
import type { BatchResult, Engine } from '../engine/interface/engine.ts';
import { toApiError } from '../http/framework-error.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import type { RenderProblem } from '../http/problem.ts';
import { pathOf } from '../http/problem-reply.ts';
import { entityTagOf, JSON_TYPE, ResourceReply } from './answer.ts';
import type { Route } from './routes.ts';

/** A batch, decoded. */
interface Sent {
  readonly params: PathParams;
  readonly body: unknown;
}

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
        const failed = (error: Error) => failureText(error, request, renderProblem);
        const items = results.map((one) => (one instanceof Error ? failed(one) : successText(one)));
        const text = `{"data":[${items.join()}]}`;
        return new ResourceReply(200, { 'content-type': JSON_TYPE }, text, () => JSON.parse(text));
      },
    };
    return route as Route<Sent, never>;
  };

function successText({ status, entity }: BatchResult): string {
  if (!entity) return `{"status":${status}}`;
  return `{"status":${status},"etag":${JSON.stringify(entityTagOf(entity))},"data":${entity.json}}`;
}

/** A failure is a problem (RFC 9457). */
function failureText(error: Error, request: FastifyRequest, renderProblem: RenderProblem): string {
  const known = toApiError(error);
  const { status, body } = renderProblem(known, { instance: pathOf(request), requestId: request.id });
  if (status >= 500) request.log.error({ err: known.cause ?? known }, 'an item of a batch failed');
  return `{"status":${status},"error":${body}}`;
}
