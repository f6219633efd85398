import type { FastifyBaseLogger } from 'fastify';
import { Redis, type RedisOptions } from 'ioredis';

export type RedisLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

const HEARTBEAT_MS = 1_000;
const MAX_RETRY_MS = 1_000;

/** What fails, fails at once: nothing waits for a server that is away. */
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

export interface ResilientOptions {
  readonly url: string;
  /** `commands`, `events`: for the log. */
  readonly purpose: string;
  readonly log: RedisLog;
  /** The server answers, for the first time or again. */
  readonly onReady: (client: Redis) => void;
  readonly onLost: () => void;
}

/**
 * A connection that comes back by itself, and that notices a server which no longer answers: closed or frozen is the
 * same to who waits.
 */
export class Resilient {
  readonly client: Redis;
  readonly #options: ResilientOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #isReady = false;
  #isDownTold = false;

  constructor(options: ResilientOptions) {
    this.#options = options;
    this.client = new Redis(options.url, OPTIONS);
    this.client.on('ready', () => this.#ready());
    this.client.on('close', () => this.#lost('The connection is closed.'));
    this.client.on('error', (error: Error) => this.#lost(error.message));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    this.client.connect().catch(() => {});
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Not to be used until the server answers again. */
  suspect(): void {
    this.#lost('No answer in time.');
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#isDownTold = true;
    this.#isReady = false;
    this.client.disconnect();
  }

  #ready(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    if (this.#isDownTold) this.#options.log.info({ purpose: this.#options.purpose }, 'Redis answers again');
    this.#isDownTold = false;
    this.#options.onReady(this.client);
  }

  #lost(why: string): void {
    const { purpose, log, onLost } = this.#options;
    if (!this.#isDownTold) log.warn({ purpose, why }, 'Redis does not answer');
    this.#isDownTold = true;
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
