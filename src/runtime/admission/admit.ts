import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Principal } from '../auth/principal.ts';
import type { CredentialsRequest } from '../auth/security-handler.ts';
import type { AdmittedCaller, Door } from '../engine/access/door.ts';
import type { Log } from '../engine/interface/call.ts';
import { Consistency } from '../engine/interface/consistency.ts';
import type { RateLimiter, RateLimitFields } from '../http/rate-limiter.ts';
import { RequestLog } from '../http/request-log.ts';

/** A request, as far as it is known before anything of it is read. */
export interface Arrival extends CredentialsRequest {
  readonly id: string;
  readonly ip: string;
  readonly log: Log;
}

/** Where the header fields of a count are set. */
export interface ReplyHead {
  headers(fields: RateLimitFields): unknown;
}

/** What is known of a caller. */
type Known = { readonly subject: string | undefined } | undefined;

/** What a request passes before anything else. */
interface Steps<K extends Known, Entered> {
  /** Undefined if the request may turn out to be any. */
  readonly operationId?: string;
  readonly identify: (arrival: Arrival) => MaybePromise<K>;
  /** Undefined: callers may send any number of requests. */
  readonly limiter: RateLimiter | undefined;
  /** Requests are forwarded and counted there. Only those that cannot be authenticated are counted here. */
  readonly isCountedElsewhere?: boolean;
  /** The subject by which a request is counted of whose caller nothing is known. */
  readonly anySubject?: ((arrival: Arrival) => MaybePromise<string | undefined>) | undefined;
  readonly enter: (known: K, arrival: Arrival) => Entered;
}

/** Identifies the callers of operations that ask for no credentials. */
export const nobody = (): undefined => undefined;

/**
 * Identifies the caller of a request, counts it by the caller, or by the address if the caller cannot be identified, and lets
 * it enter. Synchronous unless one of these is not. Throws `TOO_MANY_REQUESTS`, and what `identify` and `enter` throw.
 * Written out, and not by `whenKnown`: it is on the way of each request.
 */
export const admitting =
  <K extends Known, Entered>(steps: Steps<K, Entered>) =>
  (arrival: Arrival, head: ReplyHead): MaybePromise<Entered> => {
    const refuse = (error: unknown): MaybePromise<never> =>
      whenKnown(countedByAddress(steps.limiter, arrival.ip, head), () => {
        throw error;
      });
    let known: MaybePromise<K>;
    try {
      known = steps.identify(arrival);
    } catch (error) {
      return refuse(error);
    }
    return known instanceof Promise
      ? known.then((one) => counted(steps, one, arrival, head), refuse)
      : counted(steps, known, arrival, head);
  };

function counted<K extends Known, Entered>(
  { operationId, limiter, isCountedElsewhere, anySubject, enter }: Steps<K, Entered>,
  known: K,
  arrival: Arrival,
  head: ReplyHead,
): MaybePromise<Entered> {
  const counter = isCountedElsewhere ? undefined : limiter;
  const subject = known?.subject ?? (counter && anySubject?.(arrival));
  RequestLog.identify(arrival.log, operationId, known?.subject);
  if (!counter) return enter(known, arrival);
  const address = arrival.ip;
  const fields =
    subject instanceof Promise
      ? subject.then((one) => counter.take({ subject: one, address }))
      : counter.take({ subject, address });
  if (!(fields instanceof Promise)) {
    head.headers(fields);
    return enter(known, arrival);
  }
  return fields.then((later) => {
    head.headers(later);
    return enter(known, arrival);
  });
}

/** Counts a request of a caller that is not identified. */
export const countedByAddress = (
  limiter: RateLimiter | undefined,
  address: string,
  head: ReplyHead,
): MaybePromise<void> =>
  whenKnown(limiter?.take({ subject: undefined, address }), (fields) => void (fields && head.headers(fields)));

/** Lets callers through a door. An operation that only reads commits nothing, and sees any state unless its caller names one. */
export function entering(door: Door, isSafe: boolean) {
  return (principal: Principal | undefined, arrival: Arrival): AdmittedCaller => {
    const token = arrival.headers['consistency-token'];
    const consistency = isSafe && token === undefined ? undefined : new Consistency();
    const caller = door(principal, arrival, consistency);
    consistency?.ask(token);
    return caller;
  };
}
