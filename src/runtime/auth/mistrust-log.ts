import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { REFUSALS } from './invalid-token.ts';

const COUNTED_MS = 60_000;

/**
 * Logs once a minute that tokens were refused which no trusted key has signed, as all are with a wrong `JWT_SECRET`; nothing
 * of the tokens. The function throws the error that it is given.
 */
export function logMistrust(log: Pick<FastifyBaseLogger, 'warn'>, clock: () => number): (error: unknown) => never {
  let count = 0;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!(error instanceof ApiError) || error.detail !== REFUSALS.untrusted) throw error;
    count++;
    if (clock() - loggedAtMs >= COUNTED_MS) {
      log.warn({ count }, 'tokens were refused: no key that this server trusts has signed them');
      loggedAtMs = clock();
      count = 0;
    }
    throw error;
  };
}
