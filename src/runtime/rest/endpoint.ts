import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, Admit } from '../admission/admission.ts';
import type { Arrival } from '../admission/admit.ts';
import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import type { AdmittedCaller } from '../engine/access/door.ts';
import type { Caller } from '../engine/interface/call.ts';
import type { Consistency } from '../engine/interface/consistency.ts';
import { validationFailed } from '../engine/resource/validated.ts';
import type { FieldError } from '../errors/api-error.ts';
import { toApiError } from '../http/framework-error.ts';
import type { Negotiate } from '../http/negotiation.ts';
import type { ReplyProblem } from '../http/problem-reply.ts';
import { type Answer, type FixedFields, send } from './answer.ts';
import type { CustomReply, CustomRequest } from './custom-handler.ts';
import type { ReadParameters } from './parameters/parameters-reader.ts';
import type { RenderReply } from './reply-renderer.ts';
import type { BodyReader } from './request-body.ts';
import type { ResponseCheck } from './response-check.ts';
import type { RouteContext } from './routes.ts';

/** How requests to one operation are served, as decided at boot from the contract. */
export interface Endpoint {
  /** Whether the method only reads (RFC 9110, 9.2.1). */
  readonly isSafe: boolean;
  readonly admit: Admit;
  readonly turns: Admission['turns'];
  /** Undefined: successful responses have no body. */
  readonly negotiate: Negotiate | undefined;
  readonly readParameters: ReadParameters;
  /** Undefined: none is read. */
  readonly body: BodyReader | undefined;
  /** Whether the body is validated here, and not by the engine. */
  readonly validatesBody: boolean;
  readonly fields: FixedFields;
  readonly answer: (request: CustomRequest, context: RouteContext) => MaybePromise<unknown>;
  /** What hand-written code has its replies rendered by; undefined for other routes. */
  readonly render: RenderReply | undefined;
  /** Undefined: responses are not checked. */
  readonly checkError: ResponseCheck['error'] | undefined;
  /** Undefined as well if the operation checks its answers. */
  readonly checkAnswer: ResponseCheck['answer'] | undefined;
  readonly replyProblem: ReplyProblem;
}

/** What a request is known to be once it is admitted. */
interface Admitted {
  readonly caller: AdmittedCaller;
  /** The media type of its answer. */
  readonly accept: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What was decided before the body was read. */
    admitted?: Admitted;
    /** The most bytes of the body, if the contract limits it. */
    bodyLimit?: number | undefined;
  }
}

/** An operation that is compiled already. */
export const always = (endpoint: Endpoint) => (): Endpoint => endpoint;

/**
 * The hook of routes with a body: authenticates, authorizes and negotiates before the body is read. Synchronous unless
 * the authentication is not.
 */
export function admissionHook(endpointOf: () => Endpoint) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const endpoint = endpointOf();
    const pass = (caller: AdmittedCaller): void => {
      request.bodyLimit = endpoint.body?.limitOf(request);
      request.admitted = { caller, accept: endpoint.negotiate?.(request.headers.accept) };
      done();
    };
    rescued(
      () => whenKnown(endpoint.admit(request as Arrival, reply), pass),
      (thrown) => replyError(endpoint, thrown, request, reply),
    );
  };
}

/**
 * The handler of all routes, from the door to the reply: identify and count the caller, authorize (`admit`), wait for a
 * turn, negotiate, decode, validate, and let the route act (`answerTo`), reply (`finish`). The functions below stand in this
 * order. It answers errors as well: none reaches Fastify.
 */
export function routeHandler(endpointOf: () => Endpoint) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const endpoint = endpointOf();
    try {
      const caller = request.admitted?.caller ?? endpoint.admit(request as Arrival, reply);
      const finished =
        caller instanceof Promise
          ? caller.then((known) => inTurn(endpoint, known, request, reply))
          : inTurn(endpoint, caller, request, reply);
      if (finished instanceof Promise)
        finished.then(undefined, (thrown) => replyError(endpoint, thrown, request, reply));
    } catch (thrown) {
      replyError(endpoint, thrown, request, reply);
    }
  };
}

/**
 * What a request asks for is done in a turn of its caller. A body has had one, and each request one by its address; an
 * anonymous caller has no other.
 */
function inTurn(
  endpoint: Endpoint,
  caller: AdmittedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  const hadTurn = caller.principal === undefined || request.body !== undefined;
  const turn = hadTurn ? undefined : endpoint.turns.turnOf(caller);
  if (!turn) return answered(endpoint, caller, request, reply);
  return turn.then(() => (reply.raw.destroyed ? undefined : answered(endpoint, caller, request, reply)));
}

/** Written out, and not by `whenKnown`: it is on the way of each request. */
function answered(
  endpoint: Endpoint,
  caller: AdmittedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  const answer = answerTo(endpoint, request, caller);
  if (!(answer instanceof Promise)) return finish(endpoint, answer, caller.consistency, reply);
  return answer.then((known) => finish(endpoint, known, caller.consistency, reply));
}

/** Throws `NOT_ACCEPTABLE`, `VALIDATION_FAILED`, and what the route throws. */
function answerTo(endpoint: Endpoint, request: FastifyRequest, caller: Caller): MaybePromise<Answer> {
  const { headers, admitted } = request;
  const accept = admitted ? admitted.accept : endpoint.negotiate?.(headers.accept);
  const faults: FieldError[] = [];
  const parameters = endpoint.readParameters(request, faults);
  const body = endpoint.body?.read(request, faults);
  if (body && (endpoint.validatesBody || faults.length > 0)) endpoint.body!.validate(body, faults);
  if (faults.length > 0) throw validationFailed(faults);
  const decoded: CustomRequest = {
    params: parameters.path,
    query: parameters.query,
    headers: parameters.header,
    cookies: parameters.cookie,
    body: body?.value,
    ...(body && { contentType: body.contentType }),
    ...(accept !== undefined && { accept }),
  };
  const { isSafe } = endpoint;
  const { queryText } = parameters;
  const render = endpoint.render && ((reply: CustomReply) => endpoint.render!(reply, accept));
  return endpoint.answer(decoded, { caller, request, headers, isSafe, queryText, render }) as MaybePromise<Answer>;
}

function finish(endpoint: Endpoint, answer: Answer, consistency: Consistency | undefined, reply: FastifyReply): void {
  const token = consistency?.token;
  if (!answer.isReplayed) endpoint.checkAnswer?.(answer);
  send(reply, answer, endpoint.fields, token);
}

function replyError(endpoint: Endpoint, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    const { headers, flat, isCounted } = endpoint.fields;
    const fields = isCounted ? { ...reply.getHeaders(), ...headers } : headers;
    if (!flat) reply.headers(headers);
    endpoint.replyProblem(
      endpoint.checkError ? checked(endpoint.checkError, thrown) : thrown,
      request,
      reply,
      flat && fields,
    );
  } catch (error) {
    request.log.error({ err: error }, 'response failed');
    reply.raw.destroy();
  }
}

/** The error, or a deviation from the contract if the operation does not declare the error. */
function checked(check: ResponseCheck['error'], thrown: unknown): unknown {
  const error = toApiError(thrown);
  if (error.code === 'INTERNAL_ERROR') return thrown;
  try {
    check(error);
    return thrown;
  } catch (deviation) {
    return deviation;
  }
}
