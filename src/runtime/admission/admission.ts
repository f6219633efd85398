import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../descriptor/access.ts';
import { isRead } from '../../descriptor/document.ts';
import { once } from '../../descriptor/once.ts';
import type { OperationDescriptor, RestDescriptor } from '../../descriptor/rest.ts';
import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import type { Identification } from '../auth/identification.ts';
import { type AdmittedCaller, createDoor } from '../engine/access/door.ts';
import type { Pressure } from '../http/pressure.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { type Arrival, admitting, countedByAddress, entering, nobody, type ReplyHead } from './admit.ts';
import { createSessions, type OpenSession } from './create-sessions.ts';

/** Admits the caller of an operation. Throws `UNAUTHENTICATED`, `TOO_MANY_REQUESTS`, `FORBIDDEN`. */
export type Admit = (arrival: Arrival, head: ReplyHead) => MaybePromise<AdmittedCaller>;

/** An operation, and how it is asked for. */
interface Asked {
  readonly operation: OperationDescriptor;
  /** What its callers need, if not what the operation itself does. */
  readonly access?: Access | undefined;
  /** Requests are forwarded and counted there. Only those that cannot be authenticated are counted here. */
  readonly isCountedElsewhere: boolean;
}

/**
 * Decides who is served, and when, for every protocol: identifies the caller, counts the request, authorizes, in this
 * order; then comes the turn.
 */
export class Admission {
  readonly #identification: Identification;
  readonly #limiter: RateLimiter | undefined;
  /** Gives callers their turns. */
  readonly turns: Pick<Pressure, 'turnOf' | 'release'>;

  /** Without a limiter, callers may send any number of requests. */
  constructor(identification: Identification, limiter: RateLimiter | undefined, pressure: Admission['turns']) {
    this.#identification = identification;
    this.#limiter = limiter;
    this.turns = pressure;
  }

  /** The same for another contract, such as an old version. */
  of(rest: RestDescriptor): Admission {
    return new Admission(this.#identification.of(rest), this.#limiter, this.turns);
  }

  get isCounting(): boolean {
    return this.#limiter !== undefined;
  }

  /**
   * Admits callers to single operations of a document. Requests to public ones are counted by any credentials that others ask
   * for. Throws `HandlerError` if a security scheme has no handler.
   */
  to(operations: readonly OperationDescriptor[]): (asked: Asked) => Admit {
    const anySubject = once(() => this.#identification.counting(operations));
    return ({ operation, access = operation.access, isCountedElsewhere }) =>
      admitting({
        operationId: operation.operationId,
        identify: this.#identification.for(operation) ?? nobody,
        limiter: this.#limiter,
        isCountedElsewhere,
        anySubject: isCountedElsewhere ? undefined : anySubject(),
        enter: entering(createDoor(access), isRead(operation.method)),
      });
  }

  /** Opens sessions that may be admitted for any of the accesses. */
  open(accesses: readonly Access[]): OpenSession {
    return createSessions(this.#identification, accesses, this.#limiter);
  }

  /** Counts a request that no operation answers, by its address; `answer` answers it, unless there were too many. */
  answerCounted(
    replyProblem: ReplyProblem,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: () => unknown,
  ): unknown {
    return rescued(
      () => whenKnown(countedByAddress(this.#limiter, request.ip, reply), answer),
      (error) => replyProblem(error, request, reply),
    );
  }
}
