import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../admission/admission.ts';
import type { OpenSession } from '../../admission/create-sessions.ts';
import type { LimitedCaller } from '../../async/caller-key.ts';
import type { Turns } from '../../async/turns.ts';
import type { Cors } from '../../http/cors.ts';
import type { SocketPlaces } from '../../http/socket-places.ts';
import type { Endpoint, Prepared } from './endpoint.ts';

/** Largest body and largest frame, in bytes: enough for a document of the default limit and its variables, as JSON. */
export const MAX_MESSAGE_BYTES = 262_144;

/** What protects the server, whichever protocol a request comes by. */
export interface Guards {
  readonly admission: Admission;
  /** The caller's address, for requests that no route handles. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly cors: Cors;
  readonly sockets: SocketPlaces;
}

/** Limits of the streams that subscriptions are. */
export interface StreamLimits {
  /** Results that may wait for a connection; beyond it, reports of missed events take their place. */
  readonly maxQueuedEvents: number;
  /** The same, in characters. */
  readonly maxQueuedLength: number;
  /** A connection with more unsent bytes of answers is closed. */
  readonly maxUnsentBytes: number;
  /** What the messages of all sockets may come to that wait, or are not whole. */
  readonly maxArrivingBytes: number;
  /** How long a client may take nothing while something is unsent. */
  readonly stallTimeoutMs: number;
  /**
   * How long a busy server lets a connection rest after it has written results to it: results that come meanwhile leave
   * together, with one write. 0: never.
   */
  readonly restMs: number;
  /** How long a socket may take to send its first message. */
  readonly initTimeoutMs: number;
}

/** What the open subscriptions of each caller may cost together. */
export interface Budget {
  /** Counts a subscription until the returned function is called. Throws `LIMIT_EXCEEDED`. */
  take(caller: LimitedCaller, operation: Prepared): () => void;
}

/** What all transports (HTTP, server-sent events, WebSocket) are made from. */
export interface Transport {
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly openSession: OpenSession;
  readonly guards: Guards;
  /** Hooks of the app look at answers, or change them. */
  readonly hasHooks: boolean;
  readonly limits: StreamLimits;
  readonly budget: Budget;
  /** What has no caller waiting for it runs in turns. */
  readonly turns: Turns;
  readonly clock: () => number;
}
