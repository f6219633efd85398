import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import type { Arrival } from '../../admission/admit.ts';
import type { OpenedSession } from '../../admission/create-sessions.ts';
import type { Session } from '../../admission/session.ts';
import { rescued, whenKnown } from '../../async/maybe-promise.ts';
import { ApiError } from '../../errors/api-error.ts';
import { toApiError } from '../../http/framework-error.ts';
import { checkJson } from '../../http/json-body.ts';
import { createNegotiation, type Negotiate } from '../../http/negotiation.ts';
import { RequestLog } from '../../http/request-log.ts';
import { type Prepared, RequestError } from '../endpoint/endpoint.ts';
import type { GraphqlResult } from '../endpoint/request.ts';
import type { Transport } from '../endpoint/transport.ts';
import { readGraphqlRequest } from './graphql-request.ts';

/** Media types of results (GraphQL over HTTP, 6.2). The second is for clients that do not know the first. */
const RESPONSE = 'application/graphql-response+json';
const LEGACY = 'application/json';
const EVENTS = 'text/event-stream';

/** The fields of all results of a media type, by name and as Node sends them fastest. */
const fieldsOf = (type: string) => {
  const named = { 'content-type': `${type}; charset=utf-8`, vary: 'accept', 'cache-control': 'no-store' };
  return { named, flat: Object.entries(named).flat() };
};
const RESPONSE_FIELDS = fieldsOf(RESPONSE);
const LEGACY_FIELDS = fieldsOf(LEGACY);

/** What a request is known to be once its session is open. */
interface Opened {
  readonly session: OpenedSession;
  /** The media type of its answer. */
  readonly type: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What was decided before the body was read. */
    opened?: Opened;
  }
}

/** Answers an operation with a stream of events. */
export type ReplyWithEvents = (
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  session: Session,
) => Promise<void>;

/** The route of all operations over HTTP: a request goes through its methods in their order, from negotiation to the reply. */
export class HttpRoute {
  readonly #transport: Transport;
  readonly #replyWithEvents: ReplyWithEvents;
  readonly #negotiate: Negotiate = createNegotiation([LEGACY, RESPONSE, EVENTS]);

  constructor(transport: Transport, replyWithEvents: ReplyWithEvents) {
    this.#transport = transport;
    this.#replyWithEvents = replyWithEvents;
  }

  /** The hook of requests with a body: identifies, counts and negotiates before the body is read. */
  readonly admit = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const pass = (session: OpenedSession): void => {
      const type = this.#negotiate(request.headers.accept);
      checkJson(request);
      request.opened = { session, type };
      done();
    };
    rescued(
      () => whenKnown(this.#transport.openSession(request as Arrival, reply), pass),
      (error) => this.fail(error, request, reply),
    );
  };

  /** Answers errors as well: none reaches Fastify. */
  readonly serve = (request: FastifyRequest, reply: FastifyReply): void => {
    this.#answer(request, reply).catch((error) => this.fail(error, request, reply));
  };

  /** Identifies and counts, negotiates, waits for a turn, prepares, executes and replies. A body has had all of that but the last three. */
  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { endpoint, openSession, guards } = this.#transport;
    const { opened } = request;
    const opening = opened?.session ?? openSession(request as Arrival, reply);
    const session = opening instanceof Promise ? await opening : opening;
    const type = opened?.type ?? this.#negotiate(request.headers.accept);
    // A body has had a turn, and each request one by its address.
    const hadTurn = session.subject === undefined || request.body !== undefined;
    const turn = hadTurn ? undefined : guards.admission.turns.turnOf(session);
    if (turn) await turn;
    const prepared = endpoint.prepare(readGraphqlRequest(request), session);
    RequestLog.identify(request.log, prepared.operationName, session.subject);
    if (prepared.kind === 'mutation' && request.method !== 'POST') throw mutationNeedsPost();
    if (request.method === 'HEAD' && type === EVENTS) return void reply.type(EVENTS).send();
    if (type === EVENTS) return this.#replyWithEvents(request, reply, prepared, session);
    if (prepared.kind === 'subscription') throw needsStream();
    const result = await endpoint.execute(prepared, session);
    if (result.extensions) reply.header(CONSISTENCY_TOKEN, result.extensions.consistencyToken);
    this.#send(reply, type, statusOf(result, type), result);
  }

  /** Answers an error before execution by a result without data. */
  readonly fail = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const type = this.#typeOfFailure(request);
    if (thrown instanceof RequestError) {
      const status = thrown.isWellFormed && type === LEGACY ? 200 : thrown.status;
      this.#send(reply, type, status, { errors: thrown.errors });
      return;
    }
    const error = toApiError(thrown);
    const wireError = this.#transport.endpoint.formatError(error, { requestId: request.id, log: request.log });
    if (error.headers) reply.headers(error.headers);
    this.#send(reply, type, wireError.extensions['status'] as number, { errors: [wireError] });
  };

  /** Without Fastify where no hook looks at answers, as that would look up each field several times. */
  #send(reply: FastifyReply, type: string, status: number, result: GraphqlResult): void {
    const { named, flat } = type === RESPONSE ? RESPONSE_FIELDS : LEGACY_FIELDS;
    const text = JSON.stringify(result);
    if (this.#transport.hasHooks) return void reply.code(status).headers(named).send(text);
    const counts = Object.entries(reply.getHeaders()).flat().map(String);
    const length = String(Buffer.byteLength(text));
    reply.raw.writeHead(status, [...counts, ...flat, 'content-length', length]).end(text);
  }

  #typeOfFailure({ headers: { accept } }: FastifyRequest): string {
    try {
      const type = this.#negotiate(accept);
      return type === EVENTS ? LEGACY : type;
    } catch {
      return LEGACY;
    }
  }
}

/** Without data, nothing was executed: the status is that of the error (GraphQL over HTTP, 6.4.2). */
function statusOf({ data, errors }: GraphqlResult, type: string): number {
  if (data !== undefined || type === LEGACY) return 200;
  return (errors?.[0]?.extensions['status'] as number | undefined) ?? 400;
}

const mutationNeedsPost = (): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', { detail: 'Allowed methods: POST.', headers: { allow: 'POST' } });

const needsStream = (): ApiError =>
  new ApiError('NOT_ACCEPTABLE', { detail: `A subscription is a stream: accept ${EVENTS}, or open a WebSocket.` });
