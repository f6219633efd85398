import type { Observer } from '../../telemetry/observer.ts';
import type { SubscriptionCounts } from '../../telemetry/sources.ts';
import type { Endpoint, Prepared } from './endpoint.ts';
import type { GraphqlResult } from './request.ts';
import type { Leave, Subscriber } from './subscriber.ts';

/** Observes each operation of an endpoint, by its name, and counts the subscriptions that are open. */
export function observedEndpoint(endpoint: Endpoint, observer: Observer, counts: SubscriptionCounts): Endpoint {
  return {
    ...endpoint,
    execute: (prepared, session) =>
      observer.observe(unitOf(prepared), () => endpoint.execute(prepared, session), isFailed),
    subscribe: (prepared, session, subscriber) =>
      observer.observe(
        unitOf(prepared),
        () => counted(counts, subscriber, (one) => endpoint.subscribe(prepared, session, one)),
        isFailed,
      ),
  };
}

/** Counts a subscription from its start to its end, which the subscriber hears of or brings about. */
async function counted<R>(
  counts: SubscriptionCounts,
  subscriber: Subscriber,
  subscribe: (subscriber: Subscriber) => Promise<R | Leave>,
): Promise<R | Leave> {
  let isOpen = true;
  counts.open++;
  const end = (): void => {
    if (isOpen) counts.open--;
    isOpen = false;
  };
  const started = await subscribe({
    next: (result) => {
      if (result.missed === undefined) counts.missed++;
      subscriber.next(result);
    },
    complete: () => {
      end();
      subscriber.complete();
    },
  });
  if (typeof started !== 'function') {
    end();
    return started;
  }
  return () => {
    end();
    (started as Leave)();
  };
}

const unitOf = ({ kind, operationName = 'anonymous' }: Prepared) =>
  ({ kind: 'operation', action: kind, subject: operationName }) as const;

/** Errors that callers cause are not failures of the operation. */
const isFailed = (result: GraphqlResult | object): boolean =>
  'errors' in result && (result as GraphqlResult).errors!.some(({ extensions }) => Number(extensions['status']) >= 500);
