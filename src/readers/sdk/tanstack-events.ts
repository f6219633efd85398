import type { Client } from './client.ts';
import type { Document } from './graphql.ts';
import type { ResourceDescriptor } from './resource.ts';
import { type SubscribeOptions, subscribe } from './subscribe.ts';
import {
  type AnyQuery,
  type AnyQueryClient,
  descriptorOf,
  isChangedBy,
  readAgain,
  versionsAhead,
} from './tanstack-cache.ts';

export interface InvalidateOptions extends Pick<SubscribeOptions, 'maxRetries' | 'idleMs'> {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Filters of the subscriptions. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

type Row = Readonly<Record<string, unknown>>;

/** Instead of an event: any row may have changed. */
const MISSED = Symbol('missed');

/**
 * Has the queries of a resource read again as subscriptions show changes: its lists, and the rows of which the cache has an
 * older version. One reading goes on at a time, and what comes meanwhile is read together after it. Resolves when the signal
 * is aborted; rejects with what ends a subscription.
 */
export async function invalidateOn(
  queryClient: AnyQueryClient,
  client: Client,
  resource: object,
  documents: readonly Document<object, never>[],
  { signal, variables = {}, ...options }: InvalidateOptions = {},
): Promise<void> {
  const descriptor = descriptorOf(resource);
  const ended = new AbortController();
  /** The last event of each row, and its deletion beside it. */
  const due = new Map<string, unknown>();
  let isReading = false;
  const changed = async (event: unknown): Promise<void> => {
    due.set(`${typeof event} ${idOf(event)}`, event);
    if (isReading) return;
    isReading = true;
    while (due.size > 0) {
      const events = [...due.values()];
      due.clear();
      await readAgain(queryClient, (query) => isStale(descriptor, query, events));
    }
    isReading = false;
  };
  const follow = async (document: Document<object, never>): Promise<void> => {
    const events = subscribe(client, document as Document<object, object>, variables, {
      ...options,
      signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
      onMissed: () => void changed(MISSED),
    });
    for await (const data of events) void changed(Object.values(data)[0]);
  };
  await Promise.all(documents.map(follow)).finally(() => ended.abort());
}

function isStale(descriptor: ResourceDescriptor, { queryKey, state }: AnyQuery, events: readonly unknown[]): boolean {
  const [path, kind, parameters] = queryKey;
  if (path !== descriptor.path || kind !== 'one') return isChangedBy(descriptor, queryKey);
  const row: Row = Object(state.data);
  const names = [row['id'], ...Object.values(Object(parameters))].map(String);
  return events.some(
    (event) => event === MISSED || (names.includes(idOf(event)) && !(versionsAhead(row, Object(event)) >= 0)),
  );
}

/** The event of a deletion is the id. */
const idOf = (event: unknown): string => String(typeof event === 'object' ? Object(event).id : event);
