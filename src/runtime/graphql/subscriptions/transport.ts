import type { IncomingMessage } from 'node:http';
import type { Pressure } from '../../http/pressure.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { Readiness } from '../../http/readiness.ts';
import type { OpenSession } from '../endpoint/create-sessions.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

/** What the transports of streams share. */
export interface Transport {
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly openSession: OpenSession;
  readonly clock: () => Date;
  readonly rateLimiter?: RateLimiter | undefined;
  readonly readiness: Readiness;
  readonly pressure: Pressure;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Unsent bytes beyond which a client is given up; 8 MiB if left out. */
  readonly maxUnsentBytes?: number;
  /** How long a client may take nothing while something is unsent; 10 s if left out. */
  readonly stallTimeoutMs?: number;
  /** How often a silent client is asked for a sign of life; 12 s if left out. */
  readonly keepAliveMs?: number;
  /** Time for a socket's first message; 3 s if left out. */
  readonly initTimeoutMs?: number;
}

export const MAX_UNSENT_BYTES = 8 * 1_048_576;
export const STALL_TIMEOUT_MS = 10_000;
export const KEEP_ALIVE_MS = 12_000;

/** Longest delay that a timer takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls back when the time has come, however far off it is; the returned function calls that off. */
export function at(timeMs: number, clock: () => Date, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = timeMs - clock().getTime();
    timer = left > MAX_DELAY_MS ? setTimeout(wait, MAX_DELAY_MS) : setTimeout(callback, Math.max(left, 0));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}
