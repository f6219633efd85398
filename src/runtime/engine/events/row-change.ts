import type { Row } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';

/** What a committed transaction did to one row, as plain JSON: it may travel to other servers. */
export interface RowChange {
  /** Key of the resource. */
  readonly resource: string;
  readonly kind: ChangeKind;
  /** The row as it is now; a deleted one as it last was. */
  readonly row: Row;
  /** The parent's row, its parent's, and so on, where their owners decide who may see this one. */
  readonly ancestors: readonly Row[];
}

/** Stands for changes that may have been missed. */
export const GAP = Symbol('gap');

type Listener = (change: RowChange | typeof GAP) => void;

/** Where committed changes are told. */
export interface EventBus {
  publish(changes: readonly RowChange[]): void;
  /** Tells every listener that changes may have been missed. */
  gap(): void;
  /** Calls the listener for each change of the kind, until the returned function is called. It must not throw. */
  subscribe(resource: string, kind: ChangeKind, listener: Listener): () => void;
}

/** The changes of one server, told to itself. */
export function createEventBus(): EventBus {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(changes) {
      for (const change of changes)
        for (const listener of listeners.get(`${change.resource} ${change.kind}`) ?? []) listener(change);
    },
    gap() {
      for (const own of listeners.values()) for (const listener of own) listener(GAP);
    },
    subscribe(resource, kind, listener) {
      const topic = `${resource} ${kind}`;
      const own = listeners.get(topic) ?? new Set();
      listeners.set(topic, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(topic);
      };
    },
  };
}
