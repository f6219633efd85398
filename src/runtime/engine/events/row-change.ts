import { ApiError } from '../../errors/api-error.ts';
import type { Row, StoredValue } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';

/** What a committed transaction did to one row, as plain JSON: it may be sent to other servers. */
export interface RowChange {
  /** Key of the resource. */
  readonly resource: string;
  /** `resighted`: a change of other rows may have brought rows, or properties, in or out of callers' sight; `row` is empty. */
  readonly kind: ChangeKind | 'resighted';
  /** The row after the change; a deleted row as it was before. */
  readonly row: Row;
  /** The row before the transaction that has updated it, or deleted it after that, where `x-access` says who sees it. */
  readonly before?: Row;
  /** The rows of the parent, its parent and so on, where their owners decide who may see this row, or `x-access` who saw a deleted one; else empty. */
  readonly ancestors: readonly Row[];
  /** Of what is `resighted`: the tenants whose callers it concerns, where it does not concern any. */
  readonly tenants?: readonly string[];
}

/** Whether a change of sight may concern callers of this tenant, or, where it is left out, of any. */
export const concerns = ({ tenants }: RowChange, tenant: StoredValue | undefined): boolean =>
  tenants === undefined || tenant === undefined || tenants.includes(String(tenant));

/** Stands for changes that may have been missed. */
export const MISSED_EVENTS = Symbol('missed events');

/** What a subscriber is told in the place of such changes. */
export const missedEvents = (): ApiError =>
  new ApiError('EVENTS_MISSED', {
    detail: 'Events may have been missed. Read the resources again to be up to date.',
  });

type Listener = (change: RowChange | typeof MISSED_EVENTS) => void;

/** Publishes committed changes to subscribers. */
export interface EventBus {
  publish(changes: readonly RowChange[]): void;
  /** Calls every listener with `MISSED_EVENTS`, or those of one resource. */
  announceMissedEvents(resource?: string): void;
  /** Calls the listener for each change of the kind, until the returned function is called. It must not throw. */
  subscribe(resource: string, kind: RowChange['kind'], listener: Listener): () => void;
}

/** An event bus within one server. */
export function createEventBus(): EventBus {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(changes) {
      for (const change of changes)
        for (const listener of listeners.get(`${change.resource} ${change.kind}`) ?? []) listener(change);
    },
    announceMissedEvents(resource) {
      for (const [topic, group] of listeners)
        if (resource === undefined || topic.startsWith(`${resource} `))
          for (const listener of group) listener(MISSED_EVENTS);
    },
    subscribe(resource, kind, listener) {
      const topic = `${resource} ${kind}`;
      const group = listeners.get(topic) ?? new Set();
      listeners.set(topic, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(topic);
      };
    },
  };
}
