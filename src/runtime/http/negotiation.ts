import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.ts';
import { preferredType } from './accept.ts';

/** Chooses a media type by `Accept` (RFC 9110, 12.5.1), which allows anything if it lists nothing. Throws `NOT_ACCEPTABLE`. */
export type Negotiate = (accept: string | undefined) => string;

/** `Accept` fields whose choice is cached. */
const MAX_CACHED = 100;

/** A list without elements (RFC 9110, 5.6.1). */
const EMPTY = /^[ \t,]*$/;

/** `offered` has at least one media type, in order of the server's preference. */
export function createNegotiation(offered: readonly string[]): Negotiate {
  const preferred = offered[0]!;
  // A cache has all its room from the start, and most operations are never asked for another type.
  let chosen: LRUCache<string, string> | undefined;
  return (accept) => {
    if (accept === undefined || accept === '*/*' || accept === preferred) return preferred;
    chosen ??= new LRUCache({ max: MAX_CACHED, memoMethod: (one) => choose(one, offered) });
    return chosen.memo(accept);
  };
}

function choose(accept: string, offered: readonly string[]): string {
  if (EMPTY.test(accept)) return offered[0]!;
  const type = preferredType(accept, offered);
  if (type !== undefined) return type;
  throw new ApiError('NOT_ACCEPTABLE', { detail: `Available media types: ${offered.join(', ')}.` });
}
