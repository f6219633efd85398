import type { ChangeNotification } from '../engine/events/peers.ts';
import type { Measured } from '../telemetry/metrics.ts';

/** How the processes of an instance start and end. */
type FromStarting =
  | { readonly kind: 'booted' }
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'beat' }
  /** A signal asks for its end. */
  | { readonly kind: 'signalled' }
  /** It has finished all of its work. */
  | { readonly kind: 'bye'; readonly measured: Measured };

/** What a worker says to the primary. Channels are rows that are followed, as text; places and ids are numbers of the worker's own. */
export type FromWorker =
  | FromStarting
  | { readonly kind: 'follow'; readonly id: number; readonly channel: string }
  | { readonly kind: 'leave'; readonly channel: string }
  /** It places the transactions that change the resource from now on. */
  | { readonly kind: 'agreed'; readonly id: number }
  | { readonly kind: 'rows'; readonly place: number; readonly rows: readonly string[] }
  /** The transaction in a place was not committed, or has nothing to publish. */
  | { readonly kind: 'end'; readonly place: number }
  | {
      readonly kind: 'news';
      readonly id: number;
      readonly place: number | undefined;
      readonly notification: ChangeNotification;
      /** Further changes of the same transaction follow. */
      readonly isContinued: boolean;
    }
  | { readonly kind: 'missed' }
  | {
      readonly kind: 'lease';
      readonly id: number;
      readonly key: string;
      readonly wanted: number;
      readonly limit: number;
    }
  /** What Redis has counted, as far as the worker knows. */
  | { readonly kind: 'recalled'; readonly id: number; readonly count: number }
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured };

/** What the primary says to a worker. */
export type ToWorker =
  /** It may listen. */
  | { readonly kind: 'serve' }
  /** `isReplaced`: others of the instance go on. */
  | { readonly kind: 'stop'; readonly isReplaced: boolean }
  | { readonly kind: 'bye' }
  /** Some worker follows the resource from now on; to be answered. */
  | { readonly kind: 'followed'; readonly id: number; readonly resource: string }
  | { readonly kind: 'left'; readonly resource: string }
  /** All that is published on the channel that was asked for is sent, or the other instances cannot be reached. */
  | { readonly kind: 'heard'; readonly id: number }
  | { readonly kind: 'placed'; readonly place: number }
  /** The turn of the worker's own news has come. */
  | { readonly kind: 'published'; readonly id: number }
  /** No worker answers with a list from before the worker's news. */
  | { readonly kind: 'noted'; readonly id: number }
  /** Lists are out of date; to be answered. */
  | { readonly kind: 'stale'; readonly id: number; readonly stale: readonly string[] }
  | { readonly kind: 'news'; readonly notification: ChangeNotification }
  | { readonly kind: 'missed'; readonly resource?: string | undefined; readonly isConnected: boolean }
  | { readonly kind: 'leased'; readonly id: number; readonly granted: number; readonly taken: number }
  /** It counts these requests by leases from now on; to be answered. */
  | { readonly kind: 'recall'; readonly id: number; readonly key: string }
  | { readonly kind: 'measure'; readonly id: number };
