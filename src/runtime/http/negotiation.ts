import Negotiator from 'negotiator';
import { ApiError } from '../errors/api-error.ts';
import { BoundedCache } from './bounded-cache.ts';

/** Chooses a media type by the `Accept` field (RFC 9110, 12.5.1). Throws `NOT_ACCEPTABLE` when it excludes all. */
export type Negotiate = (accept: string | undefined) => string;

/** `offered` in the order of the server's preference; at least one. */
export function createNegotiation(offered: readonly string[]): Negotiate {
  const preferred = offered[0]!;
  const chosen = new BoundedCache<string>(100);
  return (accept) => {
    if (accept === undefined || accept === '*/*' || accept === preferred) return preferred;
    return chosen.get(accept) ?? chosen.add(accept, choose(accept, offered));
  };
}

function choose(accept: string, offered: readonly string[]): string {
  const type = new Negotiator({ headers: { accept } }).mediaType([...offered]);
  if (type !== undefined) return type;
  throw new ApiError('NOT_ACCEPTABLE', { detail: `Offered here: ${offered.join(', ')}.` });
}
