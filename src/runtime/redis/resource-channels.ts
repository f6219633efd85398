import type { Redis } from 'ioredis';
import type { Following } from '../engine/events/peers.ts';

/** How many beats long a channel is heard that nobody follows and nothing is cached by. */
const IDLE_BEATS = 60;

interface Channel {
  readonly name: string;
  followers: number;
  /** Beats since it was last asked for its epoch. */
  idleBeats: number;
  /** The epoch in which Redis began to send what is published on it; undefined while it does not. */
  heardSince: number | undefined;
  /** Resolves when it is heard, or when Redis is lost. */
  settled: PromiseWithResolvers<void>;
}

export interface ResourceChannelsOptions {
  nameOf(resource: string): string;
  /** A number that no earlier epoch had. */
  nextEpoch(): number;
  /** Called when Redis refuses, or does not answer in time. */
  onFailure(): void;
}

/** The channels of the resources that this server caches lists of, or has subscribers of: it hears no others. */
export class ResourceChannels {
  readonly #options: ResourceChannelsOptions;
  readonly #channels = new Map<string, Channel>();
  #client: Redis | undefined;

  constructor(options: ResourceChannelsOptions) {
    this.#options = options;
  }

  /** All that a new connection is to hear. */
  names(): readonly string[] {
    return [...this.#channels.values()].map(({ name }) => name);
  }

  /** Redis sends what is published on all channels of `names`. */
  connected(client: Redis, names: readonly string[]): void {
    this.#client = client;
    const heard = new Set(names);
    for (const channel of this.#channels.values())
      if (heard.has(channel.name)) this.#heard(channel);
      else this.#listen(client, channel);
  }

  disconnected(): void {
    this.#client = undefined;
    for (const channel of this.#channels.values()) {
      channel.settled.resolve();
      channel.settled = Promise.withResolvers();
      channel.heardSince = undefined;
    }
  }

  /** When the channel was first heard without a break; undefined while it is not. Begins to listen to it. */
  heardSince(resource: string): number | undefined {
    const channel = this.#channelOf(resource);
    channel.idleBeats = 0;
    return channel.heardSince;
  }

  /** Keeps listening to the channel until released. */
  follow(resource: string): Following {
    const channel = this.#channelOf(resource);
    channel.followers++;
    let isReleased = false;
    return {
      heard: channel.heardSince === undefined && this.#client ? channel.settled.promise : undefined,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        channel.followers--;
      },
    };
  }

  /** Leaves the channels that have not been used for a while. */
  beat(): void {
    for (const [resource, channel] of this.#channels) {
      if (channel.followers > 0) continue;
      channel.idleBeats++;
      if (channel.idleBeats <= IDLE_BEATS) continue;
      this.#channels.delete(resource);
      this.#client?.unsubscribe(channel.name).catch(() => this.#options.onFailure());
    }
  }

  #channelOf(resource: string): Channel {
    const known = this.#channels.get(resource);
    if (known) return known;
    const name = this.#options.nameOf(resource);
    const settled = Promise.withResolvers<void>();
    const channel: Channel = { name, followers: 0, idleBeats: 0, heardSince: undefined, settled };
    this.#channels.set(resource, channel);
    if (this.#client) this.#listen(this.#client, channel);
    return channel;
  }

  #listen(client: Redis, channel: Channel): void {
    client.subscribe(channel.name).then(
      () => {
        if (this.#client === client) this.#heard(channel);
      },
      () => this.#options.onFailure(),
    );
  }

  #heard(channel: Channel): void {
    channel.heardSince = this.#options.nextEpoch();
    channel.settled.resolve();
  }
}
