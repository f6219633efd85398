import { ConnectionError } from './api-error.ts';

/** Conditions for sending a failed request again. */
export interface RetryOptions {
  /** Attempts after the first; 0: none. Default 3. */
  readonly maxRetries?: number;
  /** Wait before the second attempt, at most; it doubles with each. Default 250. */
  readonly baseDelayMs?: number;
  /** Longest wait; a server that asks for a longer one is not asked again. Default 20,000. */
  readonly maxDelayMs?: number;
}

/** Of one request. */
export interface SendOptions {
  readonly retry?: RetryOptions;
  readonly timeoutMs?: number;
}

/** An attempt to send a request, without its contents and its token. */
export interface SendAttempt {
  readonly method: string;
  readonly url: string;
  /** From 1 on. */
  readonly attempt: number;
}

/** Functions that run for each attempt to send a request, for logs and measurements. An exception ends the call. */
export interface SendHooks {
  readonly onRequest?: (attempt: SendAttempt) => void;
  /** Whatever its status is. */
  readonly onResponse?: (
    answered: SendAttempt & { readonly status: number; readonly headers: Headers; readonly durationMs: number },
  ) => void;
  /** Before the wait, with the status that was answered, or why there was no answer. */
  readonly onRetry?: (
    failed: SendAttempt & { readonly waitMs: number; readonly status?: number; readonly error?: Error },
  ) => void;
}

export interface Sender {
  readonly hooks: SendHooks;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly retry: Required<RetryOptions>;
  /** For each attempt; 0: any time. */
  readonly timeoutMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const DEFAULT_RETRY: Required<RetryOptions> = { maxRetries: 3, baseDelayMs: 250, maxDelayMs: 20_000 };

/** Options over others; those that are undefined are as left out. */
export function retryOver(others: Required<RetryOptions>, own: RetryOptions = {}): Required<RetryOptions> {
  const { maxRetries = others.maxRetries, baseDelayMs = others.baseDelayMs, maxDelayMs = others.maxDelayMs } = own;
  return { maxRetries, baseDelayMs, maxDelayMs };
}

/** Methods whose effect is the same once or twice (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The server took no notice of the request. */
const REFUSED = new Set([408, 429]);
/** Nobody knows whether it did. */
const UNCERTAIN = new Set([502, 503, 504]);

/**
 * Whether a request may be sent again when nobody knows what became of it: a method that is idempotent, or a key that makes
 * it so (`Idempotency-Key`). With `If-Match` a second attempt would fail for the first one's success.
 */
export const isRepeatable = ({ method, headers }: Request): boolean =>
  headers.has('Idempotency-Key') || (IDEMPOTENT.has(method) && !headers.has('If-Match'));

/**
 * Sends a request, again with growing waits where that is safe; `Retry-After` (RFC 9110, 10.2.3) is honoured. Resolves with
 * the last answer. Rejects with `ConnectionError`, or with the reason of the request's signal.
 */
export async function send(request: Request, sender: Sender, repeatable: boolean): Promise<Response> {
  const { maxRetries, maxDelayMs } = sender.retry;
  for (let attempt = 0; ; attempt += 1) {
    const sent = { method: request.method, url: request.url, attempt: attempt + 1 };
    sender.hooks.onRequest?.(sent);
    const startMs = performance.now();
    const outcome = await attemptOf(request.clone(), sender);
    const response = outcome instanceof Error ? undefined : outcome;
    if (response) {
      const { status, headers } = response;
      sender.hooks.onResponse?.({ ...sent, status, headers, durationMs: performance.now() - startMs });
    }
    const isWorthwhile = response ? isRetried(response.status, repeatable) : repeatable;
    const waitMs = isWorthwhile && attempt < maxRetries ? waitOf(response, attempt, sender) : Infinity;
    if (waitMs > maxDelayMs) {
      if (outcome instanceof Error) throw outcome;
      return isDeletedBefore(request, outcome, attempt) ? new Response(null, { status: 204 }) : outcome;
    }
    await response?.body?.cancel();
    sender.hooks.onRetry?.({
      ...sent,
      waitMs,
      ...(outcome instanceof Error ? { error: outcome } : { status: outcome.status }),
    });
    await sender.delay(waitMs, request.signal);
  }
}

async function attemptOf(request: Request, { fetch, timeoutMs }: Sender): Promise<Response | ConnectionError> {
  const late = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
  try {
    return await fetch(late ? new Request(request, { signal: AbortSignal.any([request.signal, late]) }) : request);
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason;
    const { origin, pathname } = new URL(request.url);
    const within = late?.aborted ? ` within ${timeoutMs} ms` : '';
    return new ConnectionError(`${request.method} ${origin}${pathname} got no answer${within}`, { cause });
  }
}

const isRetried = (status: number, repeatable: boolean): boolean =>
  REFUSED.has(status) || (repeatable && UNCERTAIN.has(status));

/** An earlier attempt may have deleted it; in any case it is gone. */
const isDeletedBefore = ({ method }: Request, { status }: Response, attempt: number): boolean =>
  method === 'DELETE' && status === 404 && attempt > 0;

function waitOf(response: Response | undefined, attempt: number, { retry, random }: Sender): number {
  const asked = retryAfterMs(response?.headers.get('Retry-After') ?? null);
  const ceiling = Math.min(retry.baseDelayMs * 2 ** attempt, retry.maxDelayMs);
  // Half of it at random: callers that failed together come back one by one.
  const own = ceiling / 2 + (random() * ceiling) / 2;
  return asked === undefined ? own : asked + (random() * retry.baseDelayMs) / 2;
}

/** Seconds, or a date. */
function retryAfterMs(field: string | null): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
