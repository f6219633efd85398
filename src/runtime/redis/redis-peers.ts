import type { Redis } from 'ioredis';
import { Turns } from '../async/turns.ts';
import type { ChangeNotification, FollowedRows, Following, PeerListener, Peers } from '../engine/events/peers.ts';
import { type ChannelNames, channelNames } from './channel-names.ts';
import { byResource, type Message, messageIn, type Part, type Payload, partsOf } from './message.ts';
import { messageClient } from './redis-clients.ts';
import { type RedisLog, ResilientConnection } from './resilient-connection.ts';
import { ResourceChannels } from './resource-channels.ts';

export interface RedisPeersOptions {
  readonly url: string;
  /** Servers with the same prefix are peers. */
  readonly prefix: string;
  /** Identifies the layout of rows: changes sent by a server with another contract cannot be read. */
  readonly layout: string;
  /** The same for each resource by its key: a contract that differs in others does no harm to its events. */
  readonly layouts?: ReadonlyMap<string, string>;
  /**
   * Which resources have tenants, and by what: a server with another contract may listen for other tenants than those
   * that a change is published for. Undefined where none has.
   */
  readonly tenancy?: string | undefined;
  /** Whether callers may see the rows of all tenants. */
  readonly hasOperators?: boolean;
  /** Identifies this server among its peers. */
  readonly id: string;
  readonly log: RedisLog;
}

const HEARTBEAT_MS = 1_000;
/** A peer that was silent for this long is considered dead; it may have died before it published a change. */
const SILENCE_MS = 3_500;

/**
 * Peers over Redis Pub/Sub, which drops what is published while a subscriber is disconnected; that is reported as
 * missed events. Each resource has a channel, and one for each of its tenants; another one says who is there, and who could
 * not publish. To servers whose tenants are others by contract, nothing is published for single tenants.
 *
 * Servers of the previous release have one channel for everything. While one of them is heard, what is published goes there,
 * too; it is sent a notice of what it may have missed before that.
 */
export class RedisPeers implements Peers {
  readonly #options: RedisPeersOptions;
  readonly #names: ChannelNames;
  readonly #channels: ResourceChannels;
  readonly #sender: ResilientConnection<Redis>;
  readonly #receiver: ResilientConnection<Redis>;
  readonly #listeners: PeerListener[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  /** When each peer was last heard from. */
  readonly #lastSeen = new Map<string, number>();
  /** Those of them that are of the previous release. */
  readonly #oldPeers = new Set<string>();
  /** Those of them that distinguish tenants in another way. */
  readonly #strangers = new Set<string>();
  /** The number of the last message of each peer that had one. */
  readonly #lastNumbers = new Map<string, number>();
  /** In which the changes of large transactions are published. */
  readonly #turns = new Turns();
  #published = 0;
  /** Epochs have rising numbers. */
  #epochs = 0;
  /** That of all resources; a channel that was joined later has one of its own. */
  #epoch = 0;
  #isSubscribed = false;
  /** Whether the peers must still learn that they missed events. */
  #hasUnannouncedLoss = false;

  constructor(options: RedisPeersOptions) {
    this.#options = options;
    this.#names = channelNames(options.prefix, options);
    this.#channels = new ResourceChannels({
      nextEpoch: () => ++this.#epochs,
      onFailure: () => this.#receiver.markLost(),
    });
    const { url, log } = options;
    this.#sender = new ResilientConnection({
      client: messageClient(url),
      log,
      purpose: 'publishing events',
      onReady: () => this.#announceLoss(),
      onLost: () => {},
    });
    this.#receiver = new ResilientConnection({
      client: messageClient(url),
      log,
      purpose: 'receiving events',
      onReady: (client) => this.#subscribe(client),
      onLost: () => this.#disconnected(),
    });
    this.#receiver.client.on('message', (channel: string, text: string) => this.#receive(channel, text));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  get isConnected(): boolean {
    return this.#isSubscribed;
  }

  epochOf(resource: string, rows?: FollowedRows): number | undefined {
    const heardSince = this.#channels.heardSince(this.#names.telling(resource, rows));
    return heardSince === undefined ? undefined : Math.max(heardSince, this.#epoch);
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener);
  }

  follow(resource: string, rows?: FollowedRows): Following {
    return this.#channels.follow(this.#names.telling(resource, rows));
  }

  publish(notification: ChangeNotification): undefined {
    const parts = partsOf(notification);
    // What has no changes is in no order.
    const isAtOnce = notification.changes.length === 0 || (parts.length === 1 && this.#turns.waiting.size === 0);
    for (const part of parts)
      if (isAtOnce || this.#turns.hasTime()) this.#publishNow(part);
      else {
        if (part.stale.length > 0) this.#publishNow({ ...part, changes: [] });
        this.#turns.add(() => this.#publishNow({ ...part, stale: [] }));
      }
  }

  #publishNow({ continued, ...notification }: Part): void {
    if (!this.#sender.isReady) {
      this.#hasUnannouncedLoss = true;
      return;
    }
    const tenants = this.#strangers.size === 0 ? notification.tenants : undefined;
    const sent = [...byResource(notification)].flatMap(([resource, news]) => {
      const rows = this.#options.layouts?.get(resource);
      const as = {
        number: ++this.#published,
        ...(rows !== undefined && { rows }),
        ...(continued.has(resource) && { isContinued: true }),
      };
      const names = this.#names.changing(resource, tenants?.[resource]);
      return names.map((name) => this.#send(name, { kind: 'news', news }, as));
    });
    if (this.#oldPeers.size > 0) sent.push(this.#copy({ kind: 'news', news: notification }));
    Promise.all(sent).catch(() => {
      this.#hasUnannouncedLoss = true;
      // Marking the connection as lost makes `onReady` announce the loss when Redis answers again.
      this.#sender.markLost();
    });
  }

  announceMissedEvents(): void {
    this.#hasUnannouncedLoss = true;
    if (this.#sender.isReady) this.#announceLoss();
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#listeners.length = 0;
    await this.#turns.idle();
    if (this.#sender.isReady) await this.#tell({ kind: this.#hasUnannouncedLoss ? 'gap' : 'bye' }).catch(() => {});
    this.#sender.close();
    this.#receiver.close();
  }

  #send(
    channel: string,
    payload: Payload,
    as: Pick<Message, 'isCopy' | 'isContinued' | 'rows' | 'number'> = {},
  ): Promise<unknown> {
    const { id: from, layout, tenancy } = this.#options;
    const message: Message = { from, layout, ...(tenancy !== undefined && { tenancy }), ...payload, ...as };
    return this.#sender.client.publish(channel, JSON.stringify(message));
  }

  /** To servers of the previous release. */
  #copy(payload: Payload): Promise<unknown> {
    return this.#send(this.#names.everything, payload, { isCopy: true });
  }

  /** To all peers. */
  #tell(payload: Payload): Promise<unknown> {
    const told = this.#send(this.#names.peers, payload);
    return this.#oldPeers.size === 0 ? told : Promise.all([told, this.#copy(payload)]);
  }

  #announceLoss(): void {
    if (!this.#hasUnannouncedLoss) return;
    this.#hasUnannouncedLoss = false;
    this.#tell({ kind: 'gap' }).catch(() => {
      this.#hasUnannouncedLoss = true;
    });
  }

  #subscribe(client: Redis): void {
    const names = this.#channels.names();
    client.subscribe(this.#names.peers, this.#names.everything, ...names).then(
      () => {
        this.#isSubscribed = true;
        this.#channels.connected(client, names);
        this.#startEpoch();
      },
      () => this.#receiver.markLost(),
    );
  }

  #disconnected(): void {
    this.#lastSeen.clear();
    this.#oldPeers.clear();
    this.#strangers.clear();
    this.#lastNumbers.clear();
    this.#channels.disconnected();
    if (!this.#isSubscribed) return;
    this.#isSubscribed = false;
    this.#reportMissedEvents();
  }

  /** Sends a heartbeat, and detects peers that no longer send theirs. */
  #beat(): void {
    this.#channels.beat();
    if (this.#sender.isReady) this.#tell({ kind: 'beat' }).catch(() => {});
    const silentSince = performance.now() - SILENCE_MS;
    const dead = [...this.#lastSeen].filter(([, seenAt]) => seenAt < silentSince);
    for (const [id] of dead) this.#forget(id);
    if (dead.length > 0) this.#startEpoch();
  }

  #receive(channel: string, text: string): void {
    const message = messageIn(text);
    if (!message) {
      this.#startEpoch();
      return;
    }
    const { from, kind } = message;
    if (from === this.#options.id || message.isCopy) return;
    this.#lastSeen.set(from, performance.now());
    if (channel === this.#names.everything) this.#heardOldPeer(from);
    else if (message.tenancy !== this.#options.tenancy) this.#heardStranger(from);
    if (this.#isRepeated(message)) return;
    if (kind === 'news') this.#notify(message);
    else if (kind === 'gap') this.#startEpoch();
    else if (kind === 'bye') this.#forget(from);
  }

  /** One that was not known has missed whatever this server has published since the other began. */
  #heardOldPeer(id: string): void {
    if (this.#oldPeers.has(id)) return;
    this.#oldPeers.add(id);
    this.#copy({ kind: 'gap' }).catch(() => {
      this.#hasUnannouncedLoss = true;
    });
  }

  /** It has missed what was published for single tenants before it was known. */
  #heardStranger(id: string): void {
    if (this.#strangers.has(id)) return;
    this.#strangers.add(id);
    this.announceMissedEvents();
  }

  /** What is published on several channels comes from each of them that is heard, before anything else of that peer. */
  #isRepeated({ from, number }: Message): boolean {
    if (number === undefined) return false;
    const isRepeated = this.#lastNumbers.get(from) === number;
    this.#lastNumbers.set(from, number);
    return isRepeated;
  }

  #forget(id: string): void {
    this.#lastSeen.delete(id);
    this.#oldPeers.delete(id);
    this.#strangers.delete(id);
    this.#lastNumbers.delete(id);
  }

  #isReadable({ layout, rows }: Message, { changes: [change] }: ChangeNotification): boolean {
    if (layout === this.#options.layout) return true;
    return rows !== undefined && change !== undefined && rows === this.#options.layouts?.get(change.resource);
  }

  /** Rows of another layout cannot be read, but the lists that they make stale are known. */
  #notify(message: Message & { readonly kind: 'news' }): void {
    const { news: notification } = message;
    const isReadable = this.#isReadable(message, notification);
    const readable = isReadable ? notification : { ...notification, changes: [] };
    for (const listener of this.#listeners) listener.onNotification(readable);
    if (isReadable || message.isContinued) return;
    for (const resource of new Set(notification.changes.map((change) => change.resource)))
      for (const listener of this.#listeners) listener.onMissedEvents(resource);
  }

  /** Any change may have been missed: whatever was cached in an earlier epoch is stale. */
  #startEpoch(): void {
    this.#epoch = ++this.#epochs;
    this.#reportMissedEvents();
  }

  #reportMissedEvents(): void {
    for (const listener of this.#listeners) listener.onMissedEvents();
  }
}
