import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ApiError } from '../errors/api-error.ts';

/** Chooses a media type by the `Accept` field (RFC 9110, 12.5.1). Throws `NOT_ACCEPTABLE` when it excludes all. */
export type Negotiate = (accept: string | undefined) => string;

/** `Accept` fields whose choice is remembered. */
const MAX_REMEMBERED = 100;

/** `offered` in the order of the server's preference; at least one. */
export function createNegotiation(offered: readonly string[]): Negotiate {
  const preferred = offered[0]!;
  const chosen = new LRUCache<string, string>({ max: MAX_REMEMBERED, memoMethod: (accept) => choose(accept, offered) });
  return (accept) => {
    if (accept === undefined || accept === '*/*' || accept === preferred) return preferred;
    return chosen.memo(accept);
  };
}

function choose(accept: string, offered: readonly string[]): string {
  const type = new Negotiator({ headers: { accept } }).mediaType([...offered]);
  if (type !== undefined) return type;
  throw new ApiError('NOT_ACCEPTABLE', { detail: `Offered here: ${offered.join(', ')}.` });
}
