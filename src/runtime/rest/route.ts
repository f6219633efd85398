import type { FastifyReply, FastifyRequest } from 'fastify';
import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import type { Principal } from '../auth/principal.ts';
import type { CredentialsRequest, Identify } from '../auth/security-handler.ts';
import type { Caller } from '../engine/interface/call.ts';
import { validationFailed } from '../engine/resource/validated.ts';
import type { FieldError } from '../errors/api-error.ts';
import { toApiError } from '../http/framework-error.ts';
import type { Negotiate } from '../http/negotiation.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { RequestLog } from '../http/request-log.ts';
import { type Answer, send } from './answer.ts';
import type { Parameters, ReadParameters } from './parameters/parameters-reader.ts';
import type { Body, BodyReader } from './request-body.ts';
import type { ResponseCheck } from './response-check.ts';

/** A request that may pass, decoded. */
export interface Exchange {
  readonly caller: Caller;
  readonly parameters: Parameters;
  readonly body: Body | undefined;
  readonly request: FastifyRequest;
  /** The media type of the answer that the caller prefers. */
  readonly accept: string | undefined;
}

/** How requests to one operation are served; everything that the contract says was decided at boot. */
export interface Route {
  readonly operationId: string;
  readonly identify: Identify;
  /** Absent: callers may ask as often as they like. */
  readonly rateLimiter: RateLimiter | undefined;
  /** Only callers who are refused are counted here: the others are where they are answered. */
  readonly isCountedElsewhere: boolean;
  /** Throws `UNAUTHENTICATED` or `FORBIDDEN`. */
  readonly authorize: (caller: Caller) => void;
  /** Absent: successful responses have no body. */
  readonly negotiate: Negotiate | undefined;
  readonly readParameters: ReadParameters;
  readonly body: BodyReader;
  /** The body is validated here; else by the engine. */
  readonly validatesBody: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly answer: (exchange: Exchange) => MaybePromise<Answer>;
  readonly check: ResponseCheck | undefined;
  readonly replyProblem: ReplyProblem;
}

/** Callers of requests whose body is yet to be read, as `admit` has let them in. */
const admitted = new WeakMap<FastifyRequest, Caller>();

/**
 * The hook of routes with a body, before it is read: authenticate, authorize, negotiate.
 * Waits only for a token that is not known yet.
 */
export function admissionHook(route: Route) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const pass = (caller: Caller): void => {
      route.body.checkType(request);
      route.negotiate?.(request.headers.accept);
      admitted.set(request, caller);
      done();
    };
    rescued(
      () => whenKnown(admit(route, request, reply), pass),
      (thrown) => replyError(route, thrown, request, reply),
    );
  };
}

/** The handler of all routes; answers failures, too, so that nothing is thrown into Fastify. */
export function routeHandler(route: Route) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    rescued(
      () => {
        const caller = admitted.get(request) ?? admit(route, request, reply);
        const answer = whenKnown(caller, (known) => route.answer(read(route, request, known)));
        return whenKnown(answer, (known) => finish(route, known, reply));
      },
      (thrown) => replyError(route, thrown, request, reply),
    );
  };
}

/** Throws `NOT_ACCEPTABLE`, `VALIDATION_FAILED`. */
function read(route: Route, request: FastifyRequest, caller: Caller): Exchange {
  const accept = route.negotiate?.(request.headers.accept);
  const faults: FieldError[] = [];
  const parameters = route.readParameters(request, faults);
  const body = route.body.read(request, faults);
  if (body && (route.validatesBody || faults.length > 0)) route.body.validate(body, faults);
  if (faults.length > 0) throw validationFailed(faults);
  return { caller, parameters, body, request, accept };
}

function finish(route: Route, answer: Answer, reply: FastifyReply): void {
  route.check?.answer(answer);
  if (route.headers) reply.headers(route.headers);
  send(reply, answer);
}

/** Authenticates, counts, then authorizes. */
function admit(route: Route, request: FastifyRequest, reply: FastifyReply): MaybePromise<Caller> {
  const identify = () => route.identify(request as CredentialsRequest);
  const principal = route.rateLimiter ? counted(route, route.rateLimiter, identify, request, reply) : identify();
  return whenKnown(principal, (known) => admitAs(route, known, request));
}

/** Whoever cannot be authenticated is counted by address. */
function counted(
  { isCountedElsewhere }: Route,
  rateLimiter: RateLimiter,
  identify: () => MaybePromise<Principal | undefined>,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Principal | undefined> {
  const count = (subject?: string): MaybePromise<void> =>
    whenKnown(rateLimiter.take({ subject, address: request.ip }), (fields) => void reply.headers(fields));
  const principal = rescued(identify, (error) =>
    whenKnown(count(), () => {
      throw error;
    }),
  );
  if (isCountedElsewhere) return principal;
  return whenKnown(principal, (known) => whenKnown(count(known?.subject), () => known));
}

function admitAs(route: Route, principal: Principal | undefined, request: FastifyRequest): Caller {
  RequestLog.tell(request.log, route.operationId, principal?.subject);
  const caller: Caller = { principal, requestId: request.id, log: request.log };
  route.authorize(caller);
  return caller;
}

function replyError(route: Route, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    if (route.headers) reply.headers(route.headers);
    route.replyProblem(route.check ? checked(route.check, thrown) : thrown, request, reply);
  } catch (error) {
    request.log.error({ err: error }, 'answer failed');
    reply.raw.destroy();
  }
}

/** The deviation, when the error is one that the operation does not declare. */
function checked(check: ResponseCheck, thrown: unknown): unknown {
  const error = toApiError(thrown);
  if (error.code === 'INTERNAL_ERROR') return thrown;
  try {
    check.error(error);
    return thrown;
  } catch (deviation) {
    return deviation;
  }
}
