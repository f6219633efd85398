import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identify } from '../auth/identification.ts';
import type { Principal } from '../auth/principal.ts';
import type { CredentialsRequest } from '../auth/security-handler.ts';
import type { Caller } from '../engine/call.ts';
import { validationFailed } from '../engine/validated.ts';
import type { FieldError } from '../errors/api-error.ts';
import { toApiError } from '../http/framework-error.ts';
import type { Negotiate } from '../http/negotiation.ts';
import { RequestLog } from '../http/request-log.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { type Answer, send } from './answer.ts';
import type { Parameters, ReadParameters } from './parameters/parameters-reader.ts';
import type { ReplyProblem } from './problem-reply.ts';
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
  /** Throws `UNAUTHENTICATED` or `FORBIDDEN`. */
  readonly authorize: (caller: Caller) => void;
  /** Absent: successful responses have no body. */
  readonly negotiate: Negotiate | undefined;
  readonly readParameters: ReadParameters;
  readonly body: BodyReader;
  /** The body is validated here; else by the engine. */
  readonly validatesBody: boolean;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly answer: (exchange: Exchange) => Promise<Answer>;
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
    const fail = (thrown: unknown) => replyError(route, thrown, request, reply);
    const pass = (caller: Caller) => {
      route.body.checkType(request);
      route.negotiate?.(request.headers.accept);
      admitted.set(request, caller);
      done();
    };
    try {
      const caller = admit(route, request, reply);
      if (caller instanceof Promise) caller.then(pass).catch(fail);
      else pass(caller);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

/** The handler of all routes; answers failures, too, so that nothing is thrown into Fastify. */
export function routeHandler(route: Route) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    serve(route, request, reply).catch((error: unknown) => {
      request.log.error({ err: error }, 'answer failed');
      reply.raw.destroy();
    });
  };
}

async function serve(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    const known = admitted.get(request) ?? admit(route, request, reply);
    const caller = known instanceof Promise ? await known : known;
    const accept = route.negotiate?.(request.headers.accept);
    const faults: FieldError[] = [];
    const parameters = route.readParameters(request, faults);
    const body = route.body.read(request, faults);
    if (body && (route.validatesBody || faults.length > 0)) route.body.validate(body, faults);
    if (faults.length > 0) throw validationFailed(faults);
    const answer = await route.answer({ caller, parameters, body, request, accept });
    route.check?.answer(answer);
    if (route.headers) reply.headers(route.headers);
    send(reply, answer);
  } catch (thrown) {
    replyError(route, thrown, request, reply);
  }
}

/** Authenticates, counts, then authorizes. */
function admit(route: Route, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
  if (route.rateLimiter) return admitCounted(route, route.rateLimiter, request, reply);
  const principal = route.identify(request as CredentialsRequest);
  if (principal instanceof Promise) return principal.then((known) => admitAs(route, known, request));
  return admitAs(route, principal, request);
}

/** Whoever cannot be authenticated is counted by address. */
async function admitCounted(
  route: Route,
  rateLimiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const count = async (subject?: string) => {
    const taken = rateLimiter.take({ subject, address: request.ip });
    reply.headers(taken instanceof Promise ? await taken : taken);
  };
  const principal = await identified(route, request).catch(async (error: unknown) => {
    await count();
    throw error;
  });
  await count(principal?.subject);
  return admitAs(route, principal, request);
}

const identified = async (route: Route, request: FastifyRequest): Promise<Principal | undefined> =>
  route.identify(request as CredentialsRequest);

function admitAs(route: Route, principal: Principal | undefined, request: FastifyRequest): Caller {
  RequestLog.tell(request.log, route.operationId, principal?.subject);
  const caller: Caller = { principal, requestId: request.id, log: request.log };
  route.authorize(caller);
  return caller;
}

function replyError(route: Route, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (route.headers) reply.headers(route.headers);
  route.replyProblem(route.check ? checked(route.check, thrown) : thrown, request, reply);
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
