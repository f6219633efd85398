import type { RowScope } from '../../storage/row-scope.ts';
import type { RowChange } from './row-change.ts';
import type { Order, Place } from './row-order.ts';

/** What a committed transaction changed, as plain JSON: it is sent to other servers. */
export interface ChangeNotification {
  /** Keys of the resources whose cached lists are stale. */
  readonly stale: readonly string[];
  readonly changes: readonly RowChange[];
  /** The tenants that the changes of a resource concern, by its key; those of a resource that is left out concern all. */
  readonly tenants?: Readonly<Record<string, readonly string[]>>;
}

/** Whose rows of a resource are followed; undefined where they are of no tenant. */
export type FollowedRows = RowScope | undefined;

export interface PeerListener {
  onNotification(notification: ChangeNotification): void;
  /** Notifications may have been missed, of one resource or of any. */
  onMissedEvents(resource?: string): void;
}

/** That a server listens to the changes of rows. */
export interface Following {
  /** Resolves when nothing is missed any more, or the peers cannot be reached; undefined if that is so already. */
  readonly heard: Promise<void> | undefined;
  /** Ends it; does nothing the second time. */
  release(): void;
}

/** The other servers on the same database. A notification may get lost, but the loss is always noticed. */
export interface Peers {
  /**
   * Sends a notification to the peers. Never fails: peers that do not receive it learn that they missed events. Resolves
   * when no worker of this instance answers with a list from before; undefined if that is so already.
   */
  publish(notification: ChangeNotification, place?: Place): Promise<void> | undefined;
  /** Sends the peers notice that a change may have been committed that this server cannot describe. */
  announceMissedEvents(): void;
  /** Adds a listener for what the peers send of the resources that are followed, or whose epoch is asked for. */
  listen(listener: PeerListener): void;
  /** Listens to what the peers change of these rows, and perhaps of others, until released. */
  follow(resource: string, rows: FollowedRows): Following;
  /**
   * Changes whenever notifications of these rows may have been missed; undefined while they are not heard. Whoever asks
   * makes the server listen for a while.
   */
  epochOf(resource: string, rows: FollowedRows): number | undefined;
  /** Whether the other instances can be reached; undefined where there is no way to do so. */
  readonly isConnected: boolean | undefined;
  /**
   * Orders the transactions of all workers of this instance. What is published comes back to the listeners: stale lists at
   * once, changes when it is their turn. Undefined where the instance has one process.
   */
  readonly order?: Order;
}
