import type { Redis } from 'ioredis';
import type { News, PeerListener, Peers } from '../engine/peers.ts';
import { type RedisLog, Resilient } from './resilient.ts';

export interface RedisPeersOptions {
  readonly url: string;
  /** Servers with the same prefix are peers. */
  readonly prefix: string;
  /** Says how rows are laid out: events of servers of another contract cannot be read. */
  readonly layout: string;
  /** Names this server among its peers. */
  readonly id: string;
  readonly log: RedisLog;
}

interface Message {
  readonly from: string;
  /** Absent: the sender could not tell what it did. */
  readonly news?: News | undefined;
  readonly layout: string;
}

/** Peers by Redis' publish and subscribe, which drops what is sent while a server is away: then there is a gap. */
export class RedisPeers implements Peers {
  readonly #options: RedisPeersOptions;
  readonly #channel: string;
  readonly #sender: Resilient;
  readonly #receiver: Resilient;
  readonly #listeners: PeerListener[] = [];
  #epoch = 0;
  #isListening = false;
  #owesGap = false;

  constructor(options: RedisPeersOptions) {
    this.#options = options;
    this.#channel = `${options.prefix}:news`;
    const { url, log } = options;
    this.#sender = new Resilient({
      url,
      log,
      purpose: 'telling events',
      onReady: () => this.#payGap(),
      onLost: () => {},
    });
    this.#receiver = new Resilient({
      url,
      log,
      purpose: 'hearing events',
      onReady: (client) => this.#subscribe(client),
      onLost: () => this.#deaf(),
    });
    this.#receiver.client.on('message', (_channel: string, text: string) => this.#hear(text));
  }

  get epoch(): number | undefined {
    return this.#isListening ? this.#epoch : undefined;
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener);
  }

  tell(news: News): void {
    this.#send(news);
  }

  close(): void {
    this.#listeners.length = 0;
    this.#sender.close();
    this.#receiver.close();
  }

  #send(news?: News): void {
    const { id: from, layout } = this.#options;
    if (!this.#sender.isReady) {
      this.#owesGap = true;
      return;
    }
    this.#sender.client.publish(this.#channel, JSON.stringify({ from, layout, news } satisfies Message)).catch(() => {
      this.#owesGap = true;
      // Nobody says when the next one succeeds, unless the connection was lost.
      this.#sender.suspect();
    });
  }

  #payGap(): void {
    if (!this.#owesGap) return;
    this.#owesGap = false;
    this.#send();
  }

  #subscribe(client: Redis): void {
    client.subscribe(this.#channel).then(
      () => {
        this.#isListening = true;
        this.#missed();
      },
      () => this.#receiver.suspect(),
    );
  }

  #deaf(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#gap();
  }

  #hear(text: string): void {
    const message = parse(text);
    if (message?.from === this.#options.id) return;
    if (message?.news) this.#told(message.news, message.layout === this.#options.layout);
    else this.#missed();
  }

  #told(news: News, isReadable: boolean): void {
    const readable = isReadable ? news : { ...news, changes: [] };
    for (const listener of this.#listeners) listener.news(readable);
    if (readable.changes.length < news.changes.length) this.#gap();
  }

  #missed(): void {
    this.#epoch++;
    this.#gap();
  }

  #gap(): void {
    for (const listener of this.#listeners) listener.gap();
  }
}

function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
