import { ApiError } from '../errors/api-error.ts';

/** Whether the server accepts requests; false from the moment it begins to stop. */
export interface Readiness {
  isReady: boolean;
}

/** The error for requests that arrive while the server stops. */
export const stopping = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is stopping.', headers: { 'retry-after': '1' } });
