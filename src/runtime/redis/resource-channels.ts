import type { Following } from '../engine/events/peers.ts';

/** What sends what is published on channels. */
interface Subscriber {
  subscribe(name: string): Promise<unknown>;
  unsubscribe(name: string): Promise<unknown>;
}

/** How many beats long a channel is heard that nobody follows and no cached list needs. */
const IDLE_BEATS = 60;

interface Channel {
  readonly name: string;
  followers: number;
  /** Beats since it was last asked for its epoch. */
  idleBeats: number;
  /** The epoch in which what is published on it began to be sent; undefined while it is not. */
  heardSince: number | undefined;
  /** Resolves when it is heard, or when the connection is lost. */
  settled: PromiseWithResolvers<void>;
}

export interface ResourceChannelsOptions {
  /** A number that no earlier epoch had. */
  nextEpoch(): number;
  /** Called when it is refused, or there is no answer in time. */
  onFailure(): void;
}

/** The channels of the rows that this server caches lists of, or has subscribers of: it hears no others. */
export class ResourceChannels {
  readonly #options: ResourceChannelsOptions;
  readonly #channels = new Map<string, Channel>();
  #client: Subscriber | undefined;

  constructor(options: ResourceChannelsOptions) {
    this.#options = options;
  }

  /** All that a new connection is to hear. */
  names(): readonly string[] {
    return [...this.#channels.keys()];
  }

  /** What is published on all channels of `names` is sent; the others are not heard until they are asked for once more. */
  connected(client: Subscriber, names: readonly string[]): void {
    this.#client = client;
    const heard = new Set(names);
    for (const channel of this.#channels.values())
      if (heard.has(channel.name)) this.#heard(channel);
      else {
        if (channel.heardSince !== undefined) channel.settled = Promise.withResolvers();
        channel.heardSince = undefined;
        this.#listen(client, channel);
      }
  }

  disconnected(): void {
    this.#client = undefined;
    for (const channel of this.#channels.values()) {
      channel.settled.resolve();
      channel.settled = Promise.withResolvers();
      channel.heardSince = undefined;
    }
  }

  /** When all these channels were first heard without a break; undefined while they are not. Begins to listen to them. */
  heardSince(names: readonly string[]): number | undefined {
    let latest: number | undefined = 0;
    for (const name of names) {
      const channel = this.#channelOf(name);
      channel.idleBeats = 0;
      const { heardSince } = channel;
      latest = latest === undefined || heardSince === undefined ? undefined : Math.max(latest, heardSince);
    }
    return latest;
  }

  /** Keeps listening to the channels until released. */
  follow(names: readonly string[]): Following {
    const channels = names.map((name) => this.#channelOf(name));
    for (const channel of channels) channel.followers++;
    const unheard = this.#client ? channels.filter(({ heardSince }) => heardSince === undefined) : [];
    const heard = Promise.all(unheard.map(({ settled }) => settled.promise));
    let isReleased = false;
    return {
      heard: unheard.length > 0 ? heard.then(() => {}) : undefined,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const channel of channels) channel.followers--;
      },
    };
  }

  /** Leaves the channels that have not been used for a while. */
  beat(): void {
    for (const [name, channel] of this.#channels) {
      if (channel.followers > 0) continue;
      channel.idleBeats++;
      if (channel.idleBeats <= IDLE_BEATS) continue;
      this.#channels.delete(name);
      this.#client?.unsubscribe(name).catch(() => this.#options.onFailure());
    }
  }

  #channelOf(name: string): Channel {
    const known = this.#channels.get(name);
    if (known) return known;
    const settled = Promise.withResolvers<void>();
    const channel: Channel = { name, followers: 0, idleBeats: 0, heardSince: undefined, settled };
    this.#channels.set(name, channel);
    if (this.#client) this.#listen(this.#client, channel);
    return channel;
  }

  #listen(client: Subscriber, channel: Channel): void {
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
