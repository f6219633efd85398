import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids that are safe in logs, headers and JSON, whatever reads them. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** The caller's `X-Request-Id` when it is harmless, so that one id follows a request through many services. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
}
