import { ApiError } from '../errors/api-error.ts';

/** Whether the server still takes new work; false from the moment it is told to stop. */
export interface Readiness {
  isReady: boolean;
}

/** What new work is told from then on. */
export const stopping = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'The server is stopping.', headers: { 'retry-after': '1' } });
