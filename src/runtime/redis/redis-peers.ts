import type { Redis } from 'ioredis';
import type { News, PeerListener, Peers } from '../engine/events/peers.ts';
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

/** `gap`: the sender could not tell all that it did; `beat`: it lives; `bye`: it ends, and has told everything. */
type Said = { readonly kind: 'news'; readonly news: News } | { readonly kind: 'gap' | 'beat' | 'bye' };
type Message = Said & { readonly from: string; readonly layout: string };

const BEAT_MS = 1_000;
/** Who was silent for so long has died, perhaps with something untold. */
const SILENCE_MS = 3_500;

/** Peers by Redis' publish and subscribe, which drops what is sent while a server is away: then there is a gap. */
export class RedisPeers implements Peers {
  readonly #options: RedisPeersOptions;
  readonly #channel: string;
  readonly #sender: Resilient;
  readonly #receiver: Resilient;
  readonly #listeners: PeerListener[] = [];
  readonly #beat: NodeJS.Timeout;
  /** When each peer was last heard. */
  readonly #heard = new Map<string, number>();
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
    this.#beat = setInterval(() => this.#live(), BEAT_MS);
    this.#beat.unref();
  }

  get epoch(): number | undefined {
    return this.#isListening ? this.#epoch : undefined;
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener);
  }

  tell(news: News): void {
    if (!this.#sender.isReady) this.#owesGap = true;
    else
      this.#say({ kind: 'news', news }).catch(() => {
        this.#owesGap = true;
        // Nobody says when the next one succeeds, unless the connection was lost.
        this.#sender.suspect();
      });
  }

  gap(): void {
    this.#owesGap = true;
    if (this.#sender.isReady) this.#payGap();
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#listeners.length = 0;
    if (this.#sender.isReady) await this.#say({ kind: this.#owesGap ? 'gap' : 'bye' }).catch(() => {});
    this.#sender.close();
    this.#receiver.close();
  }

  #say(said: Said): Promise<unknown> {
    const { id: from, layout } = this.#options;
    return this.#sender.client.publish(this.#channel, JSON.stringify({ from, layout, ...said } satisfies Message));
  }

  #payGap(): void {
    if (!this.#owesGap) return;
    this.#owesGap = false;
    this.#say({ kind: 'gap' }).catch(() => {
      this.#owesGap = true;
    });
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
    this.#heard.clear();
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#gap();
  }

  /** Tells that this server lives, and finds out who does not. */
  #live(): void {
    if (this.#sender.isReady) this.#say({ kind: 'beat' }).catch(() => {});
    const silentSince = performance.now() - SILENCE_MS;
    const dead = [...this.#heard].filter(([, heardAt]) => heardAt < silentSince);
    for (const [id] of dead) this.#heard.delete(id);
    if (dead.length > 0) this.#missed();
  }

  #hear(text: string): void {
    const message = parse(text);
    if (!message) {
      this.#missed();
      return;
    }
    const { from, layout, kind } = message;
    if (from === this.#options.id) return;
    this.#heard.set(from, performance.now());
    if (kind === 'news') this.#told(message.news, layout === this.#options.layout);
    else if (kind === 'gap') this.#missed();
    else if (kind === 'bye') this.#heard.delete(from);
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
