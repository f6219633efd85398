import { callerKey, type LimitedCaller } from '../async/caller-key.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';

/** Counts that other servers may share. */
export interface Counter {
  /** Adds one and returns the count; undefined, now or later, if it cannot. A count is deleted after `lifetimeMs`. */
  add(key: string, lifetimeMs: number): MaybePromise<number | undefined>;
}

export interface RateLimitOptions {
  /** Requests of one caller in one window. */
  readonly limit: number;
  /** Windows begin at the same time on all servers. */
  readonly windowMs: number;
  /** Without it, or while it cannot count, this server counts alone. */
  readonly shared?: Counter | undefined;
  readonly clock: () => number;
}

/** Response header fields with the remaining requests (draft-ietf-httpapi-ratelimit-headers-10). */
export type RateLimitFields = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

/** Further callers in one window are counted as one, to limit memory. */
const MAX_CALLERS = 1_000_000;
const OTHER_CALLERS = 'others';

/** Limits the requests of each caller in fixed windows of time. */
export class RateLimiter {
  readonly #options: RateLimitOptions;
  readonly #policy: string;
  readonly #counts = new Map<string, number>();
  #window = -1;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#policy = `"caller";q=${options.limit};w=${options.windowMs / 1_000}`;
  }

  /** Counts a request. Throws, or rejects with, `TOO_MANY_REQUESTS`. */
  take(caller: LimitedCaller): MaybePromise<RateLimitFields> {
    const { limit, windowMs, shared, clock } = this.#options;
    const now = clock();
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const key = this.#keyOf(caller);
    const count = (this.#counts.get(key) ?? 0) + 1;
    const resetsInMs = (window + 1) * windowMs - now;
    // The limit has been reached: the shared count need not be asked.
    const others = count > limit ? undefined : shared?.add(`${window}:${key}`, resetsInMs + windowMs);
    if (others === undefined) return this.#settle(key, window, count, resetsInMs);
    this.#counts.set(key, count);
    return whenKnown(others, (all) => this.#settle(key, window, Math.max(all ?? 0, count), resetsInMs));
  }

  #keyOf(caller: LimitedCaller): string {
    const key = callerKey(caller);
    return this.#counts.size < MAX_CALLERS || this.#counts.has(key) ? key : OTHER_CALLERS;
  }

  #settle(key: string, window: number, count: number, resetsInMs: number): RateLimitFields {
    const { limit } = this.#options;
    if (window === this.#window) this.#counts.set(key, Math.max(count, this.#counts.get(key) ?? 0));
    const seconds = Math.ceil(resetsInMs / 1_000);
    const fields = {
      ratelimit: `"caller";r=${Math.max(0, limit - count)};t=${seconds}`,
      'ratelimit-policy': this.#policy,
    };
    if (count <= limit) return fields;
    throw new ApiError('TOO_MANY_REQUESTS', {
      detail: `More than ${limit} requests were sent in ${this.#options.windowMs / 1_000} seconds.`,
      headers: { ...fields, 'retry-after': String(seconds) },
    });
  }
}
