import type { FastifyBaseLogger } from 'fastify';
import type { Cluster, Redis } from 'ioredis';

export type RedisLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

const HEARTBEAT_MS = 1_000;

export interface ResilientConnectionOptions<Client extends Redis | Cluster> {
  /** Not connected yet. */
  readonly client: Client;
  /** What the connection is for, as the log says it: `counting requests`. */
  readonly purpose: string;
  readonly log: RedisLog;
  /** Called when the server answers, for the first time or again. */
  readonly onReady: (client: Client) => void;
  readonly onLost: () => void;
}

/** A connection that reconnects by itself, and that treats a server that no longer answers like a closed connection. */
export class ResilientConnection<Client extends Redis | Cluster> {
  readonly client: Client;
  readonly #options: ResilientConnectionOptions<Client>;
  readonly #heartbeat: NodeJS.Timeout;
  #isReady = false;
  #isOutageLogged = false;

  constructor(options: ResilientConnectionOptions<Client>) {
    this.#options = options;
    this.client = options.client;
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
    // A client gives up where it cannot even begin to connect.
    if (client.status === 'end') client.connect().catch(() => {});
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
