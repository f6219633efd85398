import type { FastifyBaseLogger } from 'fastify';
import { Redis, type RedisOptions } from 'ioredis';

export type RedisLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

const HEARTBEAT_MS = 1_000;
const MAX_RETRY_MS = 1_000;

/** Commands fail at once instead of waiting for an unreachable server. */
const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  commandTimeout: 1_000,
  enableAutoPipelining: true,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, MAX_RETRY_MS),
} satisfies RedisOptions;

export interface ResilientConnectionOptions {
  readonly url: string;
  /** What the connection is for, as the log says it: `counting requests`. */
  readonly purpose: string;
  readonly log: RedisLog;
  /** Called when the server answers, for the first time or again. */
  readonly onReady: (client: Redis) => void;
  readonly onLost: () => void;
}

/** A connection that reconnects by itself, and that treats a server that no longer answers like a closed connection. */
export class ResilientConnection {
  readonly client: Redis;
  readonly #options: ResilientConnectionOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #isReady = false;
  #isOutageLogged = false;

  constructor(options: ResilientConnectionOptions) {
    this.#options = options;
    this.client = new Redis(options.url, OPTIONS);
    this.client.on('ready', () => this.#ready());
    this.client.on('close', () => this.#lost('The connection was closed.'));
    this.client.on('error', (error: Error) => this.#lost(error.message));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    this.client.connect().catch(() => {});
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Takes the connection out of use until the server answers again. */
  markLost(): void {
    this.#lost('No answer in time.');
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#isOutageLogged = true;
    this.#isReady = false;
    this.client.disconnect();
  }

  #ready(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    if (this.#isOutageLogged) this.#options.log.info({ purpose: this.#options.purpose }, 'Redis answers again');
    this.#isOutageLogged = false;
    this.#options.onReady(this.client);
  }

  #lost(why: string): void {
    const { purpose, log, onLost } = this.#options;
    if (!this.#isOutageLogged) log.warn({ purpose, why }, 'Redis does not answer');
    this.#isOutageLogged = true;
    if (!this.#isReady) return;
    this.#isReady = false;
    onLost();
  }

  #beat(): void {
    const { client } = this;
    if (client.status !== 'ready') return;
    client.ping().then(
      () => this.#ready(),
      () => {
        if (client.status !== 'ready') return;
        this.#lost('No answer in time.');
        client.disconnect(true);
      },
    );
  }
}
