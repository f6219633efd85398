import type { IncomingMessage } from 'node:http';
import type { Pressure } from '../../http/pressure.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { Readiness } from '../../http/readiness.ts';
import type { OpenSession } from './create-sessions.ts';
import type { Endpoint } from './endpoint.ts';

/** What protects the server, whichever protocol a request comes by. */
export interface Guards {
  /** Without it, callers may send any number of requests. */
  readonly rateLimiter: RateLimiter | undefined;
  /** The caller's address, for requests that no route handles. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly readiness: Readiness;
  readonly pressure: Pressure;
}

/** Limits of the streams that subscriptions are. */
export interface StreamLimits {
  /** A socket with more unsent bytes is closed. */
  readonly maxUnsentBytes: number;
  /** How long a client may take nothing while something is unsent. */
  readonly stallTimeoutMs: number;
  /** How long a socket may take to send its first message. */
  readonly initTimeoutMs: number;
}

/** What all transports (HTTP, server-sent events, WebSocket) are made from. */
export interface Transport {
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly openSession: OpenSession;
  readonly guards: Guards;
  readonly limits: StreamLimits;
  readonly clock: () => Date;
}
