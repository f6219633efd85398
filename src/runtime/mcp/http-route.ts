import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSISTENCY_TOKEN } from '../../descriptor/consistency-token.ts';
import type { Arrival } from '../admission/admit.ts';
import type { OpenedSession, OpenSession } from '../admission/create-sessions.ts';
import { rescued, whenKnown } from '../async/maybe-promise.ts';
import { bearerChallenge } from '../auth/bearer-challenge.ts';
import { ApiError, remade } from '../errors/api-error.ts';
import { toApiError } from '../http/framework-error.ts';
import { checkJson, parseJson } from '../http/json-body.ts';
import { createNegotiation, type Negotiate } from '../http/negotiation.ts';
import type { RenderProblem } from '../http/problem.ts';
import { pathOf, type ReplyProblem } from '../http/problem-reply.ts';
import { RequestLog } from '../http/request-log.ts';
import type { Observer } from '../telemetry/observer.ts';
import {
  brief,
  errorText,
  MODERN,
  negotiated,
  notJson,
  RpcError,
  type RpcRequest,
  readMessage,
  resultText,
  SERVER_META,
  unknownMethod,
  wrongParams,
} from './message.ts';
import { type Arguments, inArguments } from './tool-arguments.ts';
import { isRefusal, type Tools } from './tools.ts';

const JSON_TYPE = 'application/json';
const JSON_FIELDS = { 'content-type': `${JSON_TYPE}; charset=utf-8`, 'cache-control': 'no-store' };

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a call, opened before the body was read. */
    openedSession?: OpenedSession;
  }
}

export interface McpParts {
  readonly tools: Tools;
  readonly openSession: OpenSession;
  /** What the server says of itself: name and version of the contract, and its instructions. */
  readonly server: { readonly name: string; readonly version: string };
  readonly instructions: string | undefined;
  readonly alwaysSignsIn: boolean;
  /** URL of the metadata that name the authorization servers; undefined: no issuer is a URL. */
  readonly metadata: string | undefined;
  /** Whether pages of an origin may send requests. */
  readonly isOwnOrigin: (origin: string) => boolean;
  /** The most values that a body may have. */
  readonly maxValues: number;
  /** Other servers may have written what this one has not heard of yet. */
  readonly readsCurrent: boolean;
  readonly observer: Observer | undefined;
  readonly renderProblem: RenderProblem;
  readonly replyProblem: ReplyProblem;
  readonly failed: (error: ApiError<string>, status: number, request: FastifyRequest) => string | undefined;
}

/** The route of the Model Context Protocol: each request stands alone, and is answered by one message of JSON. */
export class McpRoute {
  readonly #parts: McpParts;
  readonly #negotiate: Negotiate = createNegotiation([JSON_TYPE]);

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  /** The hook before the body is read: identifies, counts and negotiates. */
  readonly admit = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const pass = (session: OpenedSession): void => {
      this.#checkSignedIn(session);
      this.#negotiate(request.headers.accept);
      checkJson(request);
      request.openedSession = session;
      done();
    };
    rescued(
      () => {
        this.#checkOrigin(request);
        return whenKnown(this.#parts.openSession(request as Arrival, reply), pass);
      },
      (error) => this.fail(error, request, reply),
    );
  };

  /** Answers errors as well: none reaches Fastify. */
  readonly serve = (request: FastifyRequest, reply: FastifyReply): void => {
    this.#answer(request, reply).catch((error) => this.fail(error, request, reply));
  };

  /** Refusals of access, and whatever keeps a request from being executed at all, are statuses of HTTP. */
  readonly fail = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (thrown instanceof RpcError) {
      reply.code(thrown.status).headers(JSON_FIELDS).send(errorText(thrown));
      return;
    }
    const error = toApiError(thrown);
    this.#parts.replyProblem(isRefusal(error) ? this.#withMetadata(error) : error, request, reply);
  };

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = request.openedSession;
    if (!session) throw new Error('A request was served before it was admitted.');
    const message = readMessage(this.#parse(request.body), request.headers);
    if (!message) {
      reply.code(202).send();
      return;
    }
    RequestLog.identify(request.log, message.method, session.subject);
    // Hosts renew what is refused here; a public tool may be called with any credentials, as over REST.
    if (message.method !== 'tools/call' && session.subject === undefined && session.refusal) throw session.refusal;
    const json = await this.#result(message, session, request);
    const token = session.consistency?.token;
    if (token !== undefined) reply.header(CONSISTENCY_TOKEN, token);
    reply.headers(JSON_FIELDS).send(resultText(message, json));
  }

  #parse(body: unknown): unknown {
    if (!Buffer.isBuffer(body) || body.length === 0) throw notJson('The request has no body.');
    try {
      return parseJson(body, this.#parts.maxValues);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'MALFORMED_REQUEST') throw notJson(error.detail ?? error.code);
      throw error;
    }
  }

  /** The members of a result, as JSON. */
  #result(message: RpcRequest, session: OpenedSession, request: FastifyRequest): Promise<string> | string {
    const { tools } = this.#parts;
    switch (`${message.isModern ? 'modern' : 'legacy'} ${message.method}`) {
      case 'legacy initialize':
        return this.#opened(message);
      case 'modern server/discover':
        return `"supportedVersions":["${MODERN}"],${this.#described()},${FRESH},"_meta":{"${SERVER_META}":${JSON.stringify(this.#parts.server)}}`;
      case 'legacy ping':
        return '';
      case 'legacy tools/list':
        return `"tools":${tools.listFor(session)}`;
      case 'modern tools/list':
        return `"tools":${tools.listFor(session)},${FRESH}`;
      case 'legacy tools/call':
      case 'modern tools/call':
        return this.#call(message, session, request);
      default:
        throw unknownMethod(message);
    }
  }

  #opened({ params }: RpcRequest): string {
    const version = JSON.stringify(negotiated(params['protocolVersion']));
    return `"protocolVersion":${version},${this.#described()},"serverInfo":${JSON.stringify(this.#parts.server)}`;
  }

  #described(): string {
    const { instructions } = this.#parts;
    return `"capabilities":{"tools":{}}${instructions === undefined ? '' : `,"instructions":${JSON.stringify(instructions)}`}`;
  }

  async #call(message: RpcRequest, session: OpenedSession, request: FastifyRequest): Promise<string> {
    const { name, arguments: args = {} } = message.params;
    const tool = this.#parts.tools.get(name);
    if (!tool) throw wrongParams(message, `Unknown tool: ${brief(name)}`);
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw wrongParams(message, '`arguments` must be an object.');
    RequestLog.identify(request.log, tool.operationId, session.subject);
    const caller = session.admit(tool.access);
    if (this.#parts.readsCurrent) session.consistency?.askCurrent();
    const run = async (): Promise<Called> => {
      try {
        tool.check(args as Arguments);
        const text = await tool.run(caller, args as Arguments, (error) => this.#problem(toApiError(error), request));
        return { content: text === undefined ? '' : `{"type":"text","text":${text}}`, status: 200 };
      } catch (error) {
        return this.#refused(error, request);
      }
    };
    const { content, status } = await this.#observed(tool.name, run);
    return `"content":[${content}]${status >= 400 ? ',"isError":true' : ''}`;
  }

  /** Errors that callers cause are not failures of the tool. */
  #observed(subject: string, work: () => Promise<Called>): Promise<Called> {
    const activity = { kind: 'tool', action: 'call', subject } as const;
    return this.#parts.observer?.observe(activity, work, ({ status }) => status >= 500) ?? work();
  }

  /** An error that its caller can read, and act on. Throws those that are statuses of HTTP. */
  #refused(thrown: unknown, request: FastifyRequest): Called {
    const error = toApiError(thrown);
    if (error.code === 'UNAUTHENTICATED') throw error;
    const { body, status } = this.#problem(error, request);
    if (STATUSES.has(status)) throw error;
    return { content: `{"type":"text","text":${JSON.stringify(body)}}`, status };
  }

  /** The problem of an error, with the places of its faults in the arguments. A failure is reported. */
  #problem(error: ApiError<string>, request: FastifyRequest): ReturnType<RenderProblem> {
    const { code, detail, errors, cause } = error;
    const place = { instance: pathOf(request), requestId: request.id };
    const located = new ApiError<string>(code, {
      cause,
      ...(detail !== undefined && { detail }),
      ...(errors && { errors: errors.map(inArguments) }),
    });
    const rendered = this.#parts.renderProblem(located, place);
    if (STATUSES.has(rendered.status)) return rendered;
    const report = this.#parts.failed(error, rendered.status, request);
    if (report === undefined) return rendered;
    return this.#parts.renderProblem(new ApiError('INTERNAL_ERROR', { detail: report }), place);
  }

  /** Other pages of a browser must not send requests in the name of whoever reads them (Streamable HTTP, "Security"). */
  #checkOrigin({ headers: { origin } }: FastifyRequest): void {
    if (origin === undefined || this.#parts.isOwnOrigin(origin)) return;
    throw new ApiError('FORBIDDEN', { detail: 'Pages of this origin may not send requests: see CORS_ORIGINS.' });
  }

  /** Some hosts sign in only while they connect. */
  #checkSignedIn(session: OpenedSession): void {
    if (!this.#parts.alwaysSignsIn || session.subject !== undefined) return;
    throw (
      session.refusal ??
      new ApiError('UNAUTHENTICATED', { detail: 'This server needs a bearer token.', headers: bearerChallenge() })
    );
  }

  /** The error with the address of the metadata in its challenge (RFC 9728, 5.1). */
  #withMetadata(error: ApiError): ApiError {
    const { metadata } = this.#parts;
    const challenge = error.headers?.['www-authenticate'];
    if (metadata === undefined || challenge === undefined) return error;
    const value = `${challenge}, resource_metadata="${metadata}"`;
    return remade(error, { headers: { ...error.headers, 'www-authenticate': value } });
  }
}

/** What a call has come to. */
interface Called {
  /** The items of its content, as JSON. */
  readonly content: string;
  readonly status: number;
}

/** Nothing of a list is kept: it depends on the caller. */
const FRESH = '"ttlMs":0,"cacheScope":"private"';

/** Of refusals that a host has to act on, not its model: too much, too often, not now. */
const STATUSES: ReadonlySet<number> = new Set([413, 415, 429, 503]);
