import type { ChangeNotification, FollowedRows, Following, PeerListener, Peers } from '../engine/events/peers.ts';
import type { Order, Place } from '../engine/events/row-order.ts';
import { partsOf } from '../redis/message.ts';
import { ResourceChannels } from '../redis/resource-channels.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { type Placing, WorkerPlace } from './worker-place.ts';

const HEARTBEAT_MS = 1_000;

export interface WorkerPeersOptions {
  readonly post: (message: FromWorker, weight?: number) => void;
  /** Whether other instances can be heard. */
  readonly hasOthers: boolean;
}

/**
 * The other workers of the instance and, by way of the primary, the other instances. What nobody follows is not sent, unless
 * other instances may.
 */
export class WorkerPeers implements Peers {
  readonly #options: WorkerPeersOptions;
  readonly #listeners: PeerListener[] = [];
  /** Resources that some worker follows. */
  readonly #followed = new Set<string>();
  readonly #channels: ResourceChannels;
  /** Channels that are not heard yet, by the number of the question. */
  readonly #joining = new Map<number, () => void>();
  /** Transactions that wait for their places. */
  readonly #placing = new Map<number, () => void>();
  /** Transactions that are committed without a place. */
  readonly #unplaced = new Set<WorkerPlace>();
  /** News whose turn has not come. */
  readonly #own = new Map<number, ChangeNotification>();
  /** News that other workers have not noted. */
  readonly #unnoted = new Map<number, () => void>();
  readonly #heartbeat: NodeJS.Timeout;
  #last = 0;
  /** Epochs have rising numbers. */
  #epochs = 0;
  #epoch = 0;
  #isConnected = false;
  #isAlone = false;

  constructor(options: WorkerPeersOptions) {
    this.#options = options;
    this.#channels = new ResourceChannels({ nextEpoch: () => ++this.#epochs, onFailure: () => {} });
    this.#hearAnew();
    this.#heartbeat = setInterval(() => {
      this.#channels.beat();
      options.post({ kind: 'beat' });
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  get isConnected(): boolean | undefined {
    return this.#options.hasOthers ? this.#isConnected : undefined;
  }

  get order(): Order {
    const placing: Placing = {
      take: (place, rows, known) => this.#place(place, rows, known),
      giveUp: (place) => this.#options.post({ kind: 'end', place }),
      ended: (place) => this.#unplaced.delete(place),
    };
    return { place: () => new WorkerPlace(placing) };
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener);
  }

  follow(resource: string, rows: FollowedRows): Following {
    return this.#channels.follow([channelOf(resource, rows)]);
  }

  /** Undefined without other instances, too: what they change is not known then. */
  epochOf(resource: string, rows: FollowedRows): number | undefined {
    if (!this.#isConnected) return undefined;
    const heardSince = this.#channels.heardSince([channelOf(resource, rows)]);
    return heardSince === undefined ? undefined : Math.max(heardSince, this.#epoch);
  }

  publish(notification: ChangeNotification, given?: Place): Promise<void> | undefined {
    const { hasOthers, post } = this.#options;
    const { stale, changes } = notification;
    this.#hear({ stale, changes: [] });
    const isWanted = hasOthers || changes.some(({ resource }) => this.#followed.has(resource));
    if (this.#isAlone || !isWanted) {
      given?.end();
      if (this.#isAlone) this.#hear({ stale: [], changes });
      return undefined;
    }
    const place = given instanceof WorkerPlace ? given.handOver() : undefined;
    const id = ++this.#last;
    if (changes.length > 0) this.#own.set(id, notification);
    const parts = partsOf(notification);
    for (const [i, { continued, ...part }] of parts.entries())
      post({ kind: 'news', id, place, notification: part, isContinued: i < parts.length - 1 }, part.changes.length);
    if (!hasOthers || !stale.some((resource) => this.#followed.has(resource))) return undefined;
    return new Promise((resolve) => this.#unnoted.set(id, resolve));
  }

  announceMissedEvents(): void {
    this.#options.post({ kind: 'missed' });
  }

  /** Takes a message of the primary that is about peers. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'followed':
        void this.#agree(message.resource, message.id);
        break;
      case 'left':
        this.#followed.delete(message.resource);
        break;
      case 'heard':
        settle(this.#joining, message.id);
        break;
      case 'placed':
        settle(this.#placing, message.place);
        break;
      case 'noted':
        settle(this.#unnoted, message.id);
        break;
      case 'published':
        this.#hear({ stale: [], changes: this.#own.get(message.id)?.changes ?? [] });
        this.#own.delete(message.id);
        break;
      case 'stale':
        this.#hear({ stale: message.stale, changes: [] });
        this.#options.post({ kind: 'agreed', id: message.id });
        break;
      case 'news':
        this.#hear(message.notification);
        break;
      case 'missed':
        this.#miss(message.resource, message.isConnected);
        break;
      default:
    }
  }

  /** The primary is gone: nothing more is heard, and nobody waits for it. */
  lose(): void {
    clearInterval(this.#heartbeat);
    this.#isAlone = true;
    this.#miss(undefined, false);
    for (const waiting of [this.#joining, this.#placing, this.#unnoted]) {
      for (const resolve of waiting.values()) resolve();
      waiting.clear();
    }
  }

  #place(place: WorkerPlace, rows: readonly string[], known: number | undefined): Promise<number> | undefined {
    const isFollowed = rows.some((row) => this.#followed.has(row.slice(0, row.indexOf(' '))));
    if (this.#isAlone || !(isFollowed || this.#options.hasOthers || known !== undefined)) {
      this.#unplaced.add(place);
      return undefined;
    }
    const number = known ?? ++this.#last;
    return this.#ask(this.#placing, number, { kind: 'rows', place: number, rows }).then(() => number);
  }

  /** What is being committed without a place is published before anybody relies on places. */
  async #agree(resource: string, id: number): Promise<void> {
    this.#followed.add(resource);
    await Promise.all([...this.#unplaced].map(({ whenEnded }) => whenEnded));
    this.#options.post({ kind: 'agreed', id });
  }

  #ask(waiting: Map<number, () => void>, id: number, message: FromWorker): Promise<void> {
    if (this.#isAlone) return Promise.resolve();
    this.#options.post(message);
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  #hear(notification: ChangeNotification): void {
    for (const listener of this.#listeners) listener.onNotification(notification);
  }

  /** All channels are followed once more. */
  #hearAnew(): void {
    const subscribe = (channel: string) => {
      const id = ++this.#last;
      return this.#ask(this.#joining, id, { kind: 'follow', id, channel });
    };
    const unsubscribe = async (channel: string) => this.#options.post({ kind: 'leave', channel });
    this.#channels.connected({ subscribe, unsubscribe }, []);
  }

  #miss(resource: string | undefined, isConnected: boolean): void {
    // While the other instances could not be reached, channels were heard without them.
    if (isConnected && !this.#isConnected) this.#hearAnew();
    this.#isConnected = isConnected;
    if (resource === undefined) this.#epoch = ++this.#epochs;
    for (const listener of this.#listeners) listener.onMissedEvents(resource);
  }
}

/** Rows of a resource in one text. */
const channelOf = (resource: string, rows: FollowedRows): string => JSON.stringify([resource, rows]);

function settle(waiting: Map<number, () => void>, id: number): void {
  waiting.get(id)?.();
  waiting.delete(id);
}
