import { lookUp } from '../../../descriptor/look-up.ts';
import { Turns } from '../../async/turns.ts';
import { MISSED_EVENTS, type RowChange } from './row-change.ts';

type Change = RowChange | typeof MISSED_EVENTS;
type Listener = (change: Change) => void;

/** Publishes committed changes to subscribers, in the order in which they are published. */
export interface EventBus {
  publish(changes: readonly RowChange[]): void;
  /** Calls every listener with `MISSED_EVENTS`, or those of one resource. */
  announceMissedEvents(resource?: string): void;
  /** Calls the listener for each further change of the kind, until the returned function is called. It must not throw. */
  subscribe(resource: string, kind: RowChange['kind'], listener: Listener): () => void;
}

/** A change, and who listened when it was published: whoever came later has read what it has made. */
interface Publication {
  readonly change: Change;
  readonly listeners: ReadonlySet<Listener>;
  readonly told: readonly Listener[];
}

/** Changes that may wait: with more, the first ones are published at once. */
const MAX_WAITING = 100_000;

/** An event bus within one server. What a large transaction has changed is published in turns of the event loop. */
export function createEventBus(turns = new Turns(), maxWaiting = MAX_WAITING): EventBus {
  const topics = new Map<string, Set<Listener>>();

  const tell = ({ change, listeners, told }: Publication): void => {
    for (const listener of told) if (listeners.has(listener)) listener(change);
  };
  const inOrder = (publication: Publication): void => {
    if (turns.hasTime()) {
      tell(publication);
      return;
    }
    turns.add(() => tell(publication));
    if (turns.waiting.size > maxWaiting) turns.serveNext();
  };

  return {
    publish(changes) {
      const told = new Map<Set<Listener>, readonly Listener[]>();
      for (const change of changes) {
        const listeners = topics.get(`${change.resource} ${change.kind}`);
        if (!listeners) continue;
        if (!told.has(listeners)) told.set(listeners, [...listeners]);
        inOrder({ change, listeners, told: lookUp(told, listeners) });
      }
    },
    announceMissedEvents(resource) {
      for (const [topic, listeners] of [...topics])
        if (resource === undefined || topic.startsWith(`${resource} `))
          inOrder({ change: MISSED_EVENTS, listeners, told: [...listeners] });
    },
    subscribe(resource, kind, listener) {
      const topic = `${resource} ${kind}`;
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) topics.delete(topic);
      };
    },
  };
}
