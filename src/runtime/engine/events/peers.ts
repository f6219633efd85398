import type { RowChange } from './row-change.ts';

/** What a committed transaction changed, as plain JSON: it is sent to other servers. */
export interface ChangeNotification {
  /** Keys of the resources whose cached lists are stale. */
  readonly stale: readonly string[];
  readonly changes: readonly RowChange[];
}

export interface PeerListener {
  onNotification(notification: ChangeNotification): void;
  /** Notifications may have been missed. */
  onMissedEvents(): void;
}

/** The other servers on the same database. A notification may get lost, but the loss is always noticed. */
export interface Peers {
  /** Sends a notification to the peers. Never fails: peers that do not receive it learn that they missed events. */
  publish(notification: ChangeNotification): void;
  /** Tells the peers that a change may have been committed that this server cannot describe. */
  announceMissedEvents(): void;
  /** Adds a listener for what the peers send. */
  listen(listener: PeerListener): void;
  /** Changes whenever notifications may have been missed; undefined while the peers cannot be reached. */
  readonly epoch: number | undefined;
}
