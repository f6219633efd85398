import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { hasNginx, NginxServer } from './support/nginx-server.ts';
import { type Cluster, places } from './support/places.ts';
import { addCustomer, customerToken, report } from './support/shop.ts';

const CALLERS = 16;
/** No more, whatever happens to one instance (milliseconds). */
const LONGEST_MS = 3_000;
const place = places.find(({ name }) => name !== 'SQLite');

/** Requests of callers who stop when they are told to; reads and writes in turn. */
class Load {
  readonly statuses = new Map<number | string, number>();
  longestMs = 0;
  slow = 0;
  readonly #client = new Client(CALLERS);
  readonly #callers: readonly Promise<void>[];
  #isOver = false;

  constructor(base: string, methods: readonly ('GET' | 'POST')[]) {
    this.#callers = Array.from({ length: CALLERS }, (_, i) => this.#call(base, methods[i % methods.length]!));
  }

  async #call(base: string, method: 'GET' | 'POST'): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const begun = performance.now();
      const asked = method === 'POST' ? { token: customerToken, body: { note: `note ${i}` } } : {};
      const path = method === 'POST' ? '/orders' : '/products';
      const status = await this.#client.send(method, `${base}${path}`, asked).then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      const tookMs = performance.now() - begun;
      this.longestMs = Math.max(this.longestMs, tookMs);
      if (tookMs > 1_000) this.slow++;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
    this.#client.close();
  }
}

describe.runIf(hasNginx && place)('three instances behind the shipped balancer', () => {
  let cluster: Cluster;
  let nginx: NginxServer;
  let base: string;

  beforeEach(async () => {
    cluster = await place!.open(3, { SHUTDOWN_DELAY_MS: '1000', TRUST_PROXY: '127.0.0.1' });
    nginx = await NginxServer.start(cluster.instances.map(({ origin }) => origin));
    base = `${nginx.origin}/v1`;
    const client = new Client(1);
    await addCustomer(client, base);
    client.close();
  });
  afterEach(async () => {
    nginx.end();
    await cluster.close();
  });

  it('are replaced one by one under load, and neither a read nor a write fails', async () => {
    const load = new Load(base, ['GET', 'POST']);
    for (const instance of cluster.instances) {
      await instance.end('SIGTERM');
      await instance.start();
      // The balancer looks again after this time (fail_timeout).
      await delay(2_500);
    }
    await load.end();
    report('a rolling restart', { ...Object.fromEntries(load.statuses), longestMs: Math.round(load.longestMs) });
    expect([...load.statuses.keys()].sort(), nginx.errors().join('\n')).toEqual([200, 201]);
    expect(load.longestMs).toBeLessThan(LONGEST_MS);
  });

  it('answer reads within three seconds while one of them is frozen', async () => {
    const load = new Load(base, ['GET']);
    await delay(500);
    const [frozen] = cluster.instances;
    process.kill(frozen!.pid, 'SIGSTOP');
    await delay(6_000);
    process.kill(frozen!.pid, 'SIGCONT');
    await load.end();
    report('a frozen instance', {
      ...Object.fromEntries(load.statuses),
      longestMs: Math.round(load.longestMs),
      slow: load.slow,
    });
    expect([...load.statuses.keys()]).toEqual([200]);
    expect(load.longestMs).toBeLessThan(LONGEST_MS);
  });
});
