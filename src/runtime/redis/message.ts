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
  /** Whether further changes of the resource by the same transaction follow. */
  readonly isContinued?: boolean;
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

/** How many changes a message may have: a server prints, and its peers read, all of them at once. */
const CHANGES_OF_A_MESSAGE = 250;

/** A part of a notification, with the keys of the resources of which further changes follow. */
export interface Part extends ChangeNotification {
  readonly continued: ReadonlySet<string>;
}

/** A notification as messages may have it; the first says which lists are stale. */
export function partsOf(notification: ChangeNotification): readonly Part[] {
  const { changes } = notification;
  const count = Math.max(1, Math.ceil(changes.length / CHANGES_OF_A_MESSAGE));
  const parts: Part[] = [];
  const later = new Set<string>();
  for (let i = count - 1; i >= 0; i--) {
    const own = changes.slice(i * CHANGES_OF_A_MESSAGE, (i + 1) * CHANGES_OF_A_MESSAGE);
    const stale = i === 0 ? notification.stale : [];
    parts.unshift({ ...notification, stale, changes: own, continued: new Set(later) });
    for (const { resource } of own) later.add(resource);
  }
  return parts;
}
