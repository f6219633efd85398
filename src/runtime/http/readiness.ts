import { ApiError } from '../errors/api-error.ts';

/**
 * Whether the server wants more requests; false from the moment it is asked to stop. It goes on serving until its listener
 * closes, so that nobody fails who has not heard of it.
 */
export interface Readiness {
  isReady: boolean;
  /** Answers close their connections, which leads callers to other workers: this one is replaced. */
  isLeaving?: boolean;
}

/** Why `/readyz` is 503, in a word; docs/monitoring.md explains each. */
export const UNREADY = ['stopping', 'unreachable', 'standby', 'read-only', 'full', 'damaged'] as const;
export type Unready = (typeof UNREADY)[number];

const unavailable = (detail: string, cause?: unknown): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail, headers: { 'retry-after': '1' }, cause });

/** The error of `/readyz`. */
export const notReady = (why: Unready, cause?: unknown): ApiError => unavailable(`Not ready: ${why}.`, cause);

/** The error for requests that arrive after the listener has closed. */
export const stopping = (): ApiError => unavailable('The server is stopping.');
