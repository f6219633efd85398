import type { ChangeNotification } from '../engine/events/peers.ts';

/**
 * `news` is a change notification; `gap` says that the sender could not publish all of them; `beat` is a heartbeat;
 * `bye` says that the sender stops and has published everything. Servers of different releases exchange these words.
 */
export type Payload =
  | { readonly kind: 'news'; readonly news: ChangeNotification }
  | { readonly kind: 'gap' | 'beat' | 'bye' };

export type Message = Payload & {
  /** Which server has sent it. */
  readonly from: string;
  /** Of the rows of all resources: changes of another layout cannot be read. */
  readonly layout: string;
  /** Of the rows of the one resource that the news are of: they can be read where this is the same. */
  readonly rows?: string;
  /** Which resources have tenants, and by what; undefined where none has, and of servers of the previous release. */
  readonly tenancy?: string;
  /** The same for the copies of one message on several channels, and another for the next message. */
  readonly number?: number;
  /** For servers of the previous release alone: others have it from another channel. */
  readonly isCopy?: true;
};

/** Undefined if the text is not a message. */
export function messageIn(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}

/** The part of a notification that concerns each resource, by its key, in the order of the first change. */
export function byResource({ stale, changes }: ChangeNotification): ReadonlyMap<string, ChangeNotification> {
  const keys = new Set([...changes.map(({ resource }) => resource), ...stale]);
  return new Map(
    [...keys].map((key) => [
      key,
      { stale: stale.filter((one) => one === key), changes: changes.filter(({ resource }) => resource === key) },
    ]),
  );
}

/** Of as many changes as one message may have: what a server prints and its peers read of them at once. */
const CHANGES_OF_A_MESSAGE = 250;

/** A notification as several, the first of which says which lists are stale. */
export function* partsOf(notification: ChangeNotification): Generator<ChangeNotification, void> {
  const { changes } = notification;
  yield { ...notification, changes: changes.slice(0, CHANGES_OF_A_MESSAGE) };
  for (let i = CHANGES_OF_A_MESSAGE; i < changes.length; i += CHANGES_OF_A_MESSAGE)
    yield { ...notification, stale: [], changes: changes.slice(i, i + CHANGES_OF_A_MESSAGE) };
}
