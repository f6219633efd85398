import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Instance } from '../support/instance.ts';
import { makePrefix } from '../support/redis.ts';
import type { Json } from '../support/storefront.ts';
import { type Answer, type Asked, Client } from './support/client.ts';
import { hasPostgresServer, PostgresServer } from './support/postgres-server.ts';
import { hasRedisServer, RedisServer } from './support/redis-server.ts';
import {
  activeProduct,
  addCustomer,
  adminToken,
  all,
  customerToken,
  isValid,
  json,
  must,
  report,
} from './support/shop.ts';

const RUN_MS = 45_000;
const PRODUCTS = 5;
/** How much earlier or later than the acknowledgement of its write an event may arrive. */
const EARLY_MS = 2_000;
const LATE_MS = 8_000;

interface Acknowledged {
  readonly id: string;
  readonly note: string;
  readonly atMs: number;
}

/** One connection of a subscriber, from its first answer to its end. */
interface Connection {
  readonly fromMs: number;
  endedMs: number;
  readonly events: { readonly id: string; readonly atMs: number }[];
  readonly missedAtMs: number[];
}

/** What happened, as those who asked have seen it. */
class History {
  readonly acknowledged: Acknowledged[] = [];
  readonly unknownNotes = new Set<string>();
  readonly updates = new Map<string, { acknowledged: number; unknown: number }>();
  readonly connections: Connection[] = [];
  readonly invalid: string[] = [];
  readonly stale: string[] = [];
  readonly statuses = new Map<number | string, number>();

  count(status: number | string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

class Workload {
  readonly history = new History();
  readonly #instances: readonly Instance[];
  readonly #client = new Client(64);
  #isOver = false;
  #next = 0;
  #notes = 0;

  constructor(instances: readonly Instance[]) {
    this.#instances = instances;
  }

  end(): void {
    this.#isOver = true;
  }

  close(): void {
    this.#client.close();
  }

  /** Creates orders, each under a key of its own, until it is acknowledged; then it must be there. */
  async create(): Promise<void> {
    while (!this.#isOver) {
      const note = `order-${++this.#notes}`;
      this.history.unknownNotes.add(note);
      while (!this.#isOver) {
        const instance = this.#instance();
        const answer = await this.#send(instance, 'POST', '/v1/orders', {
          token: customerToken,
          body: { note },
          headers: { 'idempotency-key': note },
        });
        if (answer?.status !== 201) continue;
        const { id } = json(answer);
        this.history.acknowledged.push({ id, note, atMs: performance.now() });
        this.history.unknownNotes.delete(note);
        const seen = await this.#send(instance, 'GET', `/v1/orders/${id}`, { token: customerToken });
        if (seen?.status === 404) this.history.stale.push(`order ${id} is not there after it was acknowledged`);
        break;
      }
    }
  }

  /** Adds one to the stock of a product, over either protocol, if nobody else did; then lists must show it. */
  async update(products: readonly Json[]): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const { id } = products[i % products.length];
      const instance = this.#instance();
      const read = await this.#send(instance, 'GET', `/v1/products/${id}`);
      if (read?.status !== 200) continue;
      const { stock, version } = json(read);
      const outcome = await (i % 2 === 0
        ? this.#patch(instance, id, version, stock + 1)
        : this.#mutate(instance, id, version, stock + 1));
      const updates = this.history.updates.get(id)!;
      if (outcome === 'unknown') updates.unknown++;
      if (outcome !== 'done') continue;
      updates.acknowledged++;
      const list = await this.#send(instance, 'GET', '/v1/products?limit=100');
      const shown = list?.status === 200 ? json(list).data.find((one: Json) => one.id === id)?.version : undefined;
      if (shown !== undefined && shown <= version) this.history.stale.push(`${id}: ${shown} after ${version + 1}`);
    }
  }

  /** Stays subscribed to an instance, anew whenever the connection ends. */
  async subscribe(instance: Instance): Promise<void> {
    while (!this.#isOver) {
      const connection: Connection = { fromMs: 0, endedMs: Number.POSITIVE_INFINITY, events: [], missedAtMs: [] };
      const client = createClient({
        url: `${instance.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        keepAlive: 1_000,
        connectionParams: { authorization: `Bearer ${customerToken}` },
      });
      const events = client.iterate<Json>({ query: 'subscription { orderCreated { id } }' });
      const ended = (async () => {
        for await (const { data, errors } of events) {
          const atMs = performance.now();
          if (data) connection.events.push({ id: data.orderCreated.id, atMs });
          else if (errors?.[0]?.extensions?.['code'] === 'EVENTS_MISSED') connection.missedAtMs.push(atMs);
        }
      })().catch(() => {});
      try {
        await client.iterate({ query: '{ __typename }' }).next();
        this.history.connections.push(connection);
        (connection as { fromMs: number }).fromMs = performance.now();
        await Promise.race([ended, this.#over()]);
      } catch {
        await delay(50);
      }
      connection.endedMs = performance.now();
      // One that was refused cannot be closed.
      await Promise.resolve(client.dispose()).catch(() => {});
    }
  }

  async #patch(instance: Instance, id: string, version: number, stock: number) {
    const headers = { 'if-match': `"${version}"` };
    const answer = await this.#send(instance, 'PATCH', `/v1/products/${id}`, {
      token: adminToken,
      body: { stock },
      headers,
    });
    if (!answer || answer.status === 503) return 'unknown';
    return answer.status === 200 ? 'done' : 'refused';
  }

  async #mutate(instance: Instance, id: string, version: number, stock: number) {
    const query =
      'mutation($id: ID!, $stock: Int!, $v: Int!) { updateProduct(id: $id, input: { stock: $stock }, ifVersion: $v) { version } }';
    const body = { query, variables: { id, stock, v: version } };
    const answer = await this.#send(instance, 'POST', '/graphql', { token: adminToken, body });
    if (!answer || answer.status === 503) return 'unknown';
    const [error] = json(answer).errors ?? [];
    if (!error) return 'done';
    this.history.count(`GraphQL ${error.extensions.code}`);
    return error.extensions.code === 'SERVICE_UNAVAILABLE' ? 'unknown' : 'refused';
  }

  /** In turn, as a balancer does that knows nothing. */
  #instance(): Instance {
    return this.#instances[this.#next++ % this.#instances.length]!;
  }

  /** Undefined: nobody knows what became of it. */
  async #send(instance: Instance, method: string, path: string, asked: Asked = {}): Promise<Answer | undefined> {
    try {
      const answer = await this.#client.send(method, instance.origin + path, asked);
      this.history.count(answer.status);
      if (path !== '/graphql' && !isValid(answer)) this.history.invalid.push(`${answer.status} ${answer.text}`);
      if (answer.status === 503) await delay(20);
      return answer;
    } catch {
      this.history.count('no answer');
      await delay(20);
      return undefined;
    }
  }

  async #over(): Promise<void> {
    while (!this.#isOver) await delay(50);
    // What is on its way still arrives.
    await delay(1_000);
  }
}

/** One fault after the other, each healed before the next. */
async function chaos(instances: readonly Instance[], postgres: PostgresServer, redis: RedisServer): Promise<string[]> {
  const done: string[] = [];
  const [first, second, third] = instances as [Instance, Instance, Instance];
  const faults: Record<string, () => Promise<unknown>> = {
    'an instance killed': () => first.end('SIGKILL').then(() => first.start()),
    'Redis killed': async () => {
      await redis.kill();
      await delay(2_000);
      await redis.start();
    },
    'an instance that gets SIGTERM': () => second.end('SIGTERM').then(() => second.start()),
    'Postgres crashed': async () => {
      await postgres.crash();
      await delay(500);
      await postgres.start();
    },
    'Postgres frozen': async () => {
      postgres.freeze();
      await delay(3_000);
      postgres.thaw();
    },
    'two instances killed': () => Promise.all([second, third].map((one) => one.end('SIGKILL').then(() => one.start()))),
    'Postgres restarted': () => postgres.restart(),
  };
  for (const [name, fault] of Object.entries(faults)) {
    await delay(2_500);
    await fault();
    done.push(name);
  }
  return done;
}

/** Orders that a connection should have sent an event of and has not, and that no report of missed events covers. */
function unexcused({ acknowledged, connections }: History): string[] {
  return connections.flatMap(({ fromMs, endedMs, events, missedAtMs }) => {
    const received = new Set(events.map(({ id }) => id));
    return acknowledged
      .filter(({ id, atMs }) => !received.has(id) && atMs > fromMs + EARLY_MS && atMs < endedMs - LATE_MS)
      .filter(({ atMs }) => !missedAtMs.some((gapMs) => gapMs > atMs - EARLY_MS && gapMs < atMs + LATE_MS))
      .map(({ note, atMs }) => `${note}, ${Math.round(atMs - fromMs)} ms after the connection`);
  });
}

it.skipIf(!hasPostgresServer || !hasRedisServer)(
  'three instances keep what they have acknowledged, whatever is killed',
  async () => {
    const postgres = await PostgresServer.start();
    const redis = await RedisServer.start();
    const shared = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: makePrefix(),
      RATE_LIMIT: '10000000',
    };
    const instances = await Promise.all([1, 2, 3].map(() => Instance.start(shared)));
    const client = new Client();
    const { base } = instances[0]!;
    await addCustomer(client, base);
    const products: Json[] = [];
    for (let i = 0; i < PRODUCTS; i++) products.push(await activeProduct(client, base, { stock: 0 }));
    const workload = new Workload(instances);
    const { history } = workload;
    for (const { id } of products) history.updates.set(id, { acknowledged: 0, unknown: 0 });

    const working = Promise.all([
      ...Array.from({ length: 6 }, () => workload.create()),
      ...Array.from({ length: 6 }, () => workload.update(products)),
      ...instances.map((instance) => workload.subscribe(instance)),
    ]);
    const begun = performance.now();
    const faults = await chaos(instances, postgres, redis);
    await delay(Math.max(3_000, RUN_MS - (performance.now() - begun)));
    workload.end();
    await working;

    const orders = await all(client, `${base}/orders`, customerToken);
    const byNote = Map.groupBy(orders, ({ note }) => note as string);
    const ids = new Set(orders.map(({ id }) => id));
    const { acknowledged, connections, updates } = history;
    const events = connections.reduce((sum, one) => sum + one.events.length, 0);
    report('cluster', {
      faults: faults.length,
      'orders acknowledged': acknowledged.length,
      'updates acknowledged': [...updates.values()].reduce((sum, one) => sum + one.acknowledged, 0),
      'events received': events,
      missed: connections.reduce((sum, one) => sum + one.missedAtMs.length, 0),
      connections: connections.length,
      answers: [...history.statuses].map(([status, count]) => `${status}×${count}`).join(' '),
    });
    expect(history.invalid).toEqual([]);
    expect([...history.statuses.keys()].filter((one) => typeof one === 'number' && one >= 500 && one !== 503)).toEqual(
      [],
    );
    expect(history.stale).toEqual([]);
    expect(acknowledged.filter(({ id }) => !ids.has(id))).toEqual([]);
    expect([...byNote].filter(([, rows]) => rows.length > 1)).toEqual([]);
    expect(
      [...byNote.keys()].filter(
        (note) => !acknowledged.some((one) => one.note === note) && !history.unknownNotes.has(note),
      ),
    ).toEqual([]);
    for (const product of products) {
      const { stock, version } = await must(client, 'GET', `${base}/products/${product.id}`);
      const { acknowledged: least, unknown } = updates.get(product.id)!;
      expect(version - product.version).toBe(stock);
      expect(stock).toBeGreaterThanOrEqual(least);
      expect(stock).toBeLessThanOrEqual(least + unknown);
    }
    for (const { events: received } of connections)
      expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
    expect(unexcused(history)).toEqual([]);
    expect(events).toBeGreaterThan(0);

    client.close();
    workload.close();
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
    await redis.close();
    await postgres.close();
  },
);
