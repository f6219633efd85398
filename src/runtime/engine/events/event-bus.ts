import { lookUp } from '../../../descriptor/look-up.ts';
import { FairQueue } from '../../async/fair-queue.ts';
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

/** Changes of one kind, and who listened when they were published: whoever came later has read what they have made. */
interface Publication {
  readonly changes: readonly Change[];
  readonly listeners: ReadonlySet<Listener>;
  readonly told: readonly Listener[];
  /** How many changes have been told. */
  done: number;
}

/** Where more changes wait, each transaction has as many told at once as it has made. */
const MAX_WAITING = 100_000;

/** An event bus within one server. What a large transaction has changed is published in turns of the event loop. */
export function createEventBus(turns = new Turns(), maxWaiting = MAX_WAITING): EventBus {
  const topics = new Map<string, Set<Listener>>();
  const queue = new FairQueue<Publication>();
  let first: Publication | undefined;
  /** Changes that have not been told. */
  let waiting = 0;

  const tellOne = (publication: Publication): boolean => {
    const { changes, listeners, told, done } = publication;
    const change = changes[done];
    if (change !== undefined) for (const listener of told) if (listeners.has(listener)) listener(change);
    publication.done++;
    return publication.done >= changes.length;
  };
  const tellFirst = (): void => {
    first ??= queue.take();
    if (!first) return;
    waiting--;
    if (tellOne(first)) first = undefined;
  };
  const tellInTurns = (): void => {
    tellFirst();
    if (waiting > 0) turns.add(tellInTurns);
  };
  const publishInOrder = (publication: Publication): void => {
    while (waiting === 0 && turns.hasTime()) if (tellOne(publication)) return;
    const { length } = publication.changes;
    if (waiting === 0) turns.add(tellInTurns);
    const atOnce = waiting > maxWaiting ? length : 0;
    queue.add('', publication);
    waiting += length - publication.done;
    for (let i = 0; i < atOnce; i++) tellFirst();
  };

  return {
    publish(changes) {
      const told = new Map<Set<Listener>, readonly Listener[]>();
      for (const alike of runsOf(changes)) {
        const listeners = topics.get(topicOf(alike[0]!));
        if (!listeners) continue;
        if (!told.has(listeners)) told.set(listeners, [...listeners]);
        publishInOrder({ changes: alike, listeners, told: lookUp(told, listeners), done: 0 });
      }
    },
    announceMissedEvents(resource) {
      for (const [topic, listeners] of [...topics])
        if (resource === undefined || topic.startsWith(`${resource} `))
          publishInOrder({ changes: [MISSED_EVENTS], listeners, told: [...listeners], done: 0 });
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

const topicOf = ({ resource, kind }: RowChange): string => `${resource} ${kind}`;

/** Successive changes of one kind together. */
function runsOf(changes: readonly RowChange[]): readonly (readonly RowChange[])[] {
  const starts = [...changes.keys()].filter((i) => i === 0 || !isAlike(changes[i]!, changes[i - 1]!));
  return starts.map((start, i, all) => changes.slice(start, all[i + 1]));
}

const isAlike = (one: RowChange, other: RowChange): boolean =>
  one.resource === other.resource && one.kind === other.kind;
