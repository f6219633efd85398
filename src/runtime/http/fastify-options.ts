import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify';
import { callerKey } from '../async/caller-key.ts';
import { ROUTER_OPTIONS } from './allowed-methods.ts';
import { BodiesUnderWay } from './bodies-under-way.ts';
import { createClientAddress, type TrustedProxies, trustOf } from './client-address.ts';
import { answerClientError } from './client-error.ts';
import { createHttpServer, type Gate, type Timeouts } from './http-server.ts';
import { requestIdOf } from './messages.ts';
import type { IsOwnHost } from './own-hosts.ts';
import type { RenderProblem } from './problem.ts';
import type { ReplyProblem } from './problem-reply.ts';
import { RequestLog } from './request-log.ts';
import { divideBehind } from './requests-behind.ts';
import { divideUnsent } from './unsent-answers.ts';

/** Timeouts are 10 s for a request, 5 s for its header section and 72 s for an idle connection if left out. */
export interface HttpSettings extends Partial<Timeouts> {
  /** Nothing is logged without it. */
  readonly log?: FastifyBaseLogger;
  /** 1 MiB if left out. */
  readonly maxBodyBytes?: number;
  /** No proxy is trusted if left out. */
  readonly trustProxy?: TrustedProxies;
  /** Requests for other hosts are refused with 403; any host is served if left out. */
  readonly isOwnHost?: IsOwnHost | undefined;
  /** Servers that divide what an instance may hold; one if left out. */
  readonly workers?: number;
}

/** Options of the Fastify app. With them, even a request that no route ever sees is answered with a problem. */
export function fastifyOptions(
  settings: HttpSettings,
  render: RenderProblem,
  replyProblem: ReplyProblem,
  gate: Pick<Gate, 'pressure' | 'readiness' | 'alwaysOpen' | 'cors'>,
): FastifyHttpOptions<Server> {
  const { requestTimeoutMs = 10_000, headersTimeoutMs = 5_000, keepAliveTimeoutMs = 72_000 } = settings;
  const timeouts = { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs };
  const { log, trustProxy, maxBodyBytes = 1_048_576, workers = 1 } = settings;
  if (workers > 1) {
    divideUnsent(workers);
    divideBehind(workers);
  }
  const entrance = {
    ...gate,
    isOwnHost: settings.isOwnHost,
    clientAddress: createClientAddress(trustProxy),
    bodies: new BodiesUnderWay({ workers, maxBodyBytes }),
  };
  return {
    serverFactory: (handle) => createHttpServer(handle, render, timeouts, entrance),
    bodyLimit: maxBodyBytes,
    // The server itself answers requests that arrive while it closes, with problems.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: (error, request, reply) => {
      // The hooks of a request do not run here.
      reply.headers(gate.cors.fieldsFor(request.headers.origin) ?? {});
      replyProblem(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      // Another error of what comes after it is not to be answered.
      socket.pause();
      const caller = callerKey({ subject: undefined, address: socket.remoteAddress ?? '' });
      gate.pressure.refuseBy(() => answerClientError(render, error, socket), caller);
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(log && { loggerInstance: new RequestLog(log) }),
    ...(trustProxy !== undefined && { trustProxy: trustOf(trustProxy) }),
  };
}
