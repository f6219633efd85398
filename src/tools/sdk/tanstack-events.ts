import type { Client } from './client.ts';
import type { Document } from './graphql.ts';
import type { ResourceDescriptor } from './resource.ts';
import { type SubscribeOptions, subscribe } from './subscribe.ts';
import { type AnyQuery, type AnyQueryClient, descriptorOf, isAsNew, isChangedBy } from './tanstack-cache.ts';

export interface InvalidateOptions extends Pick<SubscribeOptions, 'maxRetries' | 'idleMs'> {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** What the subscriptions are narrowed to. */
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
  const due: unknown[] = [];
  let isReading = false;
  const changed = async (event: unknown): Promise<void> => {
    due.push(event);
    if (isReading) return;
    isReading = true;
    while (due.length > 0) {
      const events = due.splice(0);
      const filters = { predicate: (query: AnyQuery) => isStale(descriptor, query, events) };
      const reading = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
      const isFirst = reading.some(({ state }) => state.data === undefined);
      await queryClient.invalidateQueries(filters);
      // A first answer was waited for, not asked for again, though it may show what was before the event.
      if (isFirst) due.push(...events);
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
  return events.some((event) => event === MISSED || (names.includes(idOf(event)) && !isAsNew(row, Object(event))));
}

/** The event of a deletion is the id. */
const idOf = (event: unknown): string => String(typeof event === 'object' ? Object(event).id : event);
