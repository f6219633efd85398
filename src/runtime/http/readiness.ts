import { ApiError } from '../errors/api-error.ts';

/**
 * Whether the server wants more requests; false from the moment it is told to stop. It goes on serving until its listener
 * closes, so that nobody fails who has not heard of it.
 */
export interface Readiness {
  isReady: boolean;
}

/** The error for requests that arrive after the listener has closed, and of `/readyz` before. */
export const stopping = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is stopping.', headers: { 'retry-after': '1' } });
