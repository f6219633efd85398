import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

/** A token is verified again after this time, so that the removal of a key takes effect. */
const MAX_AGE_MS = 300_000;
const MAX_HEADER_LENGTH = 4_096;

/** Verified tokens, by `Authorization` header. */
export interface TokenCache {
  /** The caller, unless the token or the entry has expired. */
  get(header: string, nowMs: number): Principal | undefined;
  add(header: string, principal: Principal, nowMs: number): void;
}

interface Entry {
  readonly principal: Principal;
  readonly freshUntilMs: number;
}

/** Keeps the `capacity` most recently used tokens, except for headers longer than 4,096 characters. */
export function createTokenCache(capacity: number): TokenCache {
  const entries = new LRUCache<string, Entry>({ max: capacity });
  return {
    get(header, nowMs) {
      const entry = entries.get(header);
      if (entry === undefined) return undefined;
      if (nowMs < entry.freshUntilMs) return entry.principal;
      entries.delete(header);
      return undefined;
    },
    add(header, principal, nowMs) {
      if (header.length > MAX_HEADER_LENGTH) return;
      entries.set(header, { principal, freshUntilMs: Math.min(principal.expiresAtMs, nowMs + MAX_AGE_MS) });
    },
  };
}
