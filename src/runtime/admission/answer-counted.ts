import type { FastifyReply, FastifyRequest } from 'fastify';
import { rescued, whenKnown } from '../async/maybe-promise.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';

interface Counting {
  readonly rateLimiter?: RateLimiter | undefined;
  readonly replyProblem: ReplyProblem;
}

/** Counts a request that no operation answers, by its address; `answer` answers it, unless there were too many. */
export function answerCounted(
  { rateLimiter, replyProblem }: Counting,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => unknown,
): unknown {
  return rescued(
    () =>
      whenKnown(rateLimiter?.take({ subject: undefined, address: request.ip }), (fields) => {
        reply.headers(fields ?? {});
        return answer();
      }),
    (error) => replyProblem(error, request, reply),
  );
}
