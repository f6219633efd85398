import { lookUp } from '../../../descriptor/look-up.ts';
import { Turns } from '../../async/turns.ts';
import { type Listener, Publications } from './publications.ts';
import { MISSED_EVENTS, type RowChange } from './row-change.ts';

/** Publishes committed changes to subscribers, in the order in which they are published. */
export interface EventBus {
  /** Whether anybody listens. */
  readonly isHeard: boolean;
  publish(changes: readonly RowChange[]): void;
  /** Calls every listener with `MISSED_EVENTS`, or those of one resource. */
  announceMissedEvents(resource?: string): void;
  /** Calls the listener for each further change of the kind, until the returned function is called. It must not throw. */
  subscribe(resource: string, kind: RowChange['kind'], listener: Listener): () => void;
}

/** Changes that may wait. */
const MAX_WAITING = 100_000;

/** An event bus within one server. What a large transaction has changed is published in turns of the event loop. */
export function createEventBus(turns = new Turns(), maxWaiting = MAX_WAITING): EventBus {
  const topics = new Map<string, Set<Listener>>();
  const publications = new Publications(turns, maxWaiting);
  const bus = {
    isHeard: false,
    publish(changes: readonly RowChange[]) {
      const told = new Map<Set<Listener>, readonly Listener[]>();
      const heard = runsOf(changes).flatMap(([topic, alike]) => {
        const listeners = topics.get(topic);
        if (!listeners) return [];
        if (!told.has(listeners)) told.set(listeners, [...listeners]);
        return [{ changes: alike, listeners, told: lookUp(told, listeners) }];
      });
      publications.add(heard);
    },
    announceMissedEvents(resource?: string) {
      for (const [topic, listeners] of [...topics])
        if (resource === undefined || topic.startsWith(`${resource} `))
          publications.add([{ changes: [MISSED_EVENTS], listeners, told: [...listeners] }]);
    },
    subscribe(resource: string, kind: RowChange['kind'], listener: Listener) {
      const topic = `${resource} ${kind}`;
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      bus.isHeard = true;
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) topics.delete(topic);
        bus.isHeard = topics.size > 0;
      };
    },
  };
  return bus;
}

/** Successive changes of one kind together. */
function runsOf(changes: readonly RowChange[]): readonly (readonly [topic: string, changes: readonly RowChange[]])[] {
  const runs: [string, RowChange[]][] = [];
  let last: RowChange | undefined;
  for (const change of changes) {
    if (last?.resource === change.resource && last.kind === change.kind) runs.at(-1)?.[1].push(change);
    else runs.push([`${change.resource} ${change.kind}`, [change]]);
    last = change;
  }
  return runs;
}
