import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import { createProblemRenderer } from '../errors/problem.ts';
import { type TrustedProxies, trustOf } from './client-address.ts';
import { answerClientError } from './client-error.ts';
import { createHttpServer } from './http-server.ts';
import { NO_LIMITS, Pressure } from './pressure.ts';
import { createProblemReply } from './problem-reply.ts';
import type { Readiness } from './readiness.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';

export interface FastifySettings {
  readonly errors: ErrorCatalogue;
  /** Where the documentation of error codes lives; `/errors` if left out. */
  readonly errorsUrl?: string;
  /** No line is written without it. */
  readonly log?: FastifyBaseLogger;
  /** 1 MiB if left out. */
  readonly maxBodyBytes?: number;
  /** A whole request must arrive in this time; 10 s if left out. */
  readonly requestTimeoutMs?: number;
  /** Its header section in this; 5 s if left out. */
  readonly headersTimeoutMs?: number;
  /** An idle connection is kept open for this long; 72 s if left out. */
  readonly keepAliveTimeoutMs?: number;
  /** None if left out. */
  readonly trustProxy?: TrustedProxies;
  /** While false, requests are refused; always true if left out. */
  readonly readiness?: Readiness;
  /** No limits if left out. */
  readonly pressure?: Pressure;
  /** Paths that are served even while others are refused. */
  readonly alwaysOpen?: ReadonlySet<string>;
}

/** Options of the Fastify app: with them, even a request that no route ever sees is answered by a problem. */
export function fastifyOptions(settings: FastifySettings): FastifyHttpOptions<Server> {
  const render = createProblemRenderer(settings.errors, settings.errorsUrl);
  const replyProblem = createProblemReply(render);
  const { requestTimeoutMs = 10_000, headersTimeoutMs = 5_000, keepAliveTimeoutMs = 72_000 } = settings;
  const { log, trustProxy, maxBodyBytes = 1_048_576 } = settings;
  const { readiness = { isReady: true }, pressure = new Pressure(NO_LIMITS), alwaysOpen = new Set() } = settings;
  const patience = { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs };
  return {
    serverFactory: (handle) => createHttpServer(handle, render, patience, { readiness, pressure, alwaysOpen }),
    bodyLimit: maxBodyBytes,
    // The server answers them itself, as problems.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 1_024 },
    frameworkErrors: (error, request, reply) => replyProblem(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(render, error, socket),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(log && { loggerInstance: new RequestLog(log) }),
    ...(trustProxy !== undefined && { trustProxy: trustOf(trustProxy) }),
  };
}
