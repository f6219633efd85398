import type { Redis } from 'ioredis';
import type { ChangeNotification, PeerListener, Peers } from '../engine/events/peers.ts';
import { type RedisLog, ResilientConnection } from './resilient-connection.ts';

export interface RedisPeersOptions {
  readonly url: string;
  /** Servers with the same prefix are peers. */
  readonly prefix: string;
  /** Identifies the layout of rows: changes sent by a server with another contract cannot be read. */
  readonly layout: string;
  /** Identifies this server among its peers. */
  readonly id: string;
  readonly log: RedisLog;
}

/**
 * `news` is a change notification; `gap` says that the sender could not publish all of them; `beat` is a heartbeat;
 * `bye` says that the sender stops and has published everything. Servers of different releases exchange these words.
 */
type Payload = { readonly kind: 'news'; readonly news: ChangeNotification } | { readonly kind: 'gap' | 'beat' | 'bye' };
type Message = Payload & { readonly from: string; readonly layout: string };

const HEARTBEAT_MS = 1_000;
/** A peer that was silent for this long is considered dead; it may have died before it published a change. */
const SILENCE_MS = 3_500;

/**
 * Peers over Redis Pub/Sub, which drops what is published while a subscriber is disconnected; that is reported as
 * missed events.
 */
export class RedisPeers implements Peers {
  readonly #options: RedisPeersOptions;
  readonly #channel: string;
  readonly #sender: ResilientConnection;
  readonly #receiver: ResilientConnection;
  readonly #listeners: PeerListener[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  /** When each peer was last heard from. */
  readonly #lastSeen = new Map<string, number>();
  #epoch = 0;
  #isSubscribed = false;
  /** Whether the peers must still learn that they missed events. */
  #hasUnannouncedLoss = false;

  constructor(options: RedisPeersOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:news`;
    const { url, log } = options;
    this.#sender = new ResilientConnection({
      url,
      log,
      purpose: 'publishing events',
      onReady: () => this.#announceLoss(),
      onLost: () => {},
    });
    this.#receiver = new ResilientConnection({
      url,
      log,
      purpose: 'receiving events',
      onReady: (client) => this.#subscribe(client),
      onLost: () => this.#disconnected(),
    });
    this.#receiver.client.on('message', (_channel: string, text: string) => this.#receive(text));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  get epoch(): number | undefined {
    return this.#isSubscribed ? this.#epoch : undefined;
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener);
  }

  publish(notification: ChangeNotification): void {
    if (!this.#sender.isReady) this.#hasUnannouncedLoss = true;
    else
      this.#send({ kind: 'news', news: notification }).catch(() => {
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
    if (this.#sender.isReady) await this.#send({ kind: this.#hasUnannouncedLoss ? 'gap' : 'bye' }).catch(() => {});
    this.#sender.close();
    this.#receiver.close();
  }

  #send(payload: Payload): Promise<unknown> {
    const { id: from, layout } = this.#options;
    return this.#sender.client.publish(this.#channel, JSON.stringify({ from, layout, ...payload } satisfies Message));
  }

  #announceLoss(): void {
    if (!this.#hasUnannouncedLoss) return;
    this.#hasUnannouncedLoss = false;
    this.#send({ kind: 'gap' }).catch(() => {
      this.#hasUnannouncedLoss = true;
    });
  }

  #subscribe(client: Redis): void {
    client.subscribe(this.#channel).then(
      () => {
        this.#isSubscribed = true;
        this.#startEpoch();
      },
      () => this.#receiver.markLost(),
    );
  }

  #disconnected(): void {
    this.#lastSeen.clear();
    if (!this.#isSubscribed) return;
    this.#isSubscribed = false;
    this.#reportMissedEvents();
  }

  /** Sends a heartbeat, and detects peers that no longer send theirs. */
  #beat(): void {
    if (this.#sender.isReady) this.#send({ kind: 'beat' }).catch(() => {});
    const silentSince = performance.now() - SILENCE_MS;
    const dead = [...this.#lastSeen].filter(([, seenAt]) => seenAt < silentSince);
    for (const [id] of dead) this.#lastSeen.delete(id);
    if (dead.length > 0) this.#startEpoch();
  }

  #receive(text: string): void {
    const message = parse(text);
    if (!message) {
      this.#startEpoch();
      return;
    }
    const { from, layout, kind } = message;
    if (from === this.#options.id) return;
    this.#lastSeen.set(from, performance.now());
    if (kind === 'news') this.#notify(message.news, layout === this.#options.layout);
    else if (kind === 'gap') this.#startEpoch();
    else if (kind === 'bye') this.#lastSeen.delete(from);
  }

  /** Rows of another layout cannot be read, but the lists that they make stale are known. */
  #notify(notification: ChangeNotification, isReadable: boolean): void {
    const readable = isReadable ? notification : { ...notification, changes: [] };
    for (const listener of this.#listeners) listener.onNotification(readable);
    if (readable.changes.length < notification.changes.length) this.#reportMissedEvents();
  }

  /** Any change may have been missed: whatever was cached in an earlier epoch is stale. */
  #startEpoch(): void {
    this.#epoch++;
    this.#reportMissedEvents();
  }

  #reportMissedEvents(): void {
    for (const listener of this.#listeners) listener.onMissedEvents();
  }
}

function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
