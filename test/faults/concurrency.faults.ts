import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Instance } from '../support/instance.ts';
import { hasPostgres } from '../support/postgres.ts';
import { hasRedis } from '../support/redis.ts';
import type { Json } from '../support/storefront.ts';
import { type Answer, Client } from './support/client.ts';
import { type Cluster, places } from './support/places.ts';
import {
  activeProduct,
  addCustomer,
  adminToken,
  all,
  customerToken,
  json,
  must,
  productInput,
  report,
  times,
} from './support/shop.ts';

describe.each(places)('many at once on $name', (place) => {
  let cluster: Cluster;
  let client: Client;
  let next = 0;
  /** Each instance in turn. */
  const at = (): Instance => cluster.instances[next++ % cluster.instances.length]!;

  beforeEach(async () => {
    cluster = await place.open(3);
    client = new Client(128);
    await addCustomer(client, at().base);
  });
  afterEach(async () => {
    client.close();
    await cluster.close();
  });

  it('have one effect for one key, and the same answer for each', async () => {
    const KEYS = 200;
    const PARALLEL = 100;
    const conflicts = { count: 0 };
    const post = async (key: string, note: string) => {
      for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 160)) {
        const answer = await client.send('POST', `${at().base}/orders`, {
          token: customerToken,
          body: { note },
          headers: { 'idempotency-key': key },
        });
        if (answer.status !== 409) return answer;
        conflicts.count++;
        await delay(waitMs * Math.random());
      }
    };
    for (let key = 0; key < KEYS; key++) {
      const answers = await Promise.all(Array.from({ length: PARALLEL }, () => post(`key-${key}`, `note ${key}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ text, headers }) => text + headers['location'] + headers['etag'])).size).toBe(1);
    }
    const orders = await all(client, `${at().base}/orders`, customerToken);
    expect(orders.map(({ note }) => note).toSorted()).toEqual(
      Array.from({ length: KEYS }, (_, i) => `note ${i}`).toSorted(),
    );
    expect((await post('key-7', 'another')).status).toBe(422);
    for (const instance of cluster.instances) await instance.end('SIGKILL');
    await Promise.all(cluster.instances.map((instance) => instance.start()));
    const again = await post('key-7', 'note 7');
    expect([again.status, json(again).id]).toEqual([201, orders.find(({ note }) => note === 'note 7').id]);
    report('idempotency', {
      place: place.name,
      requests: KEYS * PARALLEL,
      effects: orders.length,
      conflicts: conflicts.count,
    });
  });

  it('lose no update', async () => {
    const WRITERS = 50;
    const ROUNDS = 200;
    const product = await activeProduct(client, at().base);
    let { version } = product;
    for (let round = 0; round < ROUNDS; round++) {
      const write = (i: number) =>
        i % 2 === 0
          ? client.send('PATCH', `${at().base}/products/${product.id}`, {
              token: adminToken,
              body: { stock: round * WRITERS + i },
              headers: { 'if-match': `"${version}"` },
            })
          : client.send('POST', `${at().origin}/graphql`, {
              token: adminToken,
              body: {
                query:
                  'mutation($id: ID!, $stock: Int!, $v: Int!) { updateProduct(id: $id, input: { stock: $stock }, ifVersion: $v) { version } }',
                variables: { id: product.id, stock: round * WRITERS + i, v: version },
              },
            });
      /** A busy server refuses what waits for long; it has done nothing then, and is asked again. */
      const outcome = async (i: number): Promise<number> => {
        for (;;) {
          const answer = await write(i);
          const status = i % 2 === 0 ? answer.status : (json(answer).errors?.[0].extensions.status ?? 200);
          if (status !== 503) return status;
          await delay(20);
        }
      };
      const outcomes = await Promise.all(Array.from({ length: WRITERS }, (_, i) => outcome(i)));
      expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
      expect(outcomes.filter((status) => status === 412)).toHaveLength(WRITERS - 1);
      const kept = await must(client, 'GET', `${at().base}/products/${product.id}`);
      expect(kept.version).toBe(version + 1);
      expect(kept.stock).toBe(round * WRITERS + outcomes.indexOf(200));
      version = kept.version;
    }
    report('lost updates', { place: place.name, writes: WRITERS * ROUNDS, kept: version - product.version, lost: 0 });
  });

  it('page over rows that stay, each once, while others come and go', async () => {
    const STABLE = 10_000;
    const create = (values: object): Promise<Json> =>
      must(client, 'POST', `${at().base}/products`, { token: adminToken, body: productInput(values) });
    const stable = await times(STABLE, 64, (i) => create({ name: `Stable ${i}`, price: i % 1_000 }));
    let isDone = false;
    const written = { count: 0 };
    const write = async () => {
      while (!isDone) {
        const { id } = await create({ name: 'Passing', price: written.count % 1_000 });
        await must(client, 'DELETE', `${at().base}/products/${id}`, { token: adminToken });
        written.count += 2;
      }
    };
    const writing = Promise.all([write(), write(), write(), write()]);
    for (const sort of ['price', '-createdAt']) {
      const rows = await all(client, `${at().base}/products?sort=${sort}`);
      const seen = rows.filter(({ name }) => name.startsWith('Stable')).map(({ id }) => id);
      expect(seen).toHaveLength(STABLE);
      expect(new Set(seen)).toEqual(new Set(stable.map(({ id }) => id)));
    }
    isDone = true;
    await writing;
    expect(written.count).toBeGreaterThan(0);
    report('paging', { place: place.name, rows: STABLE, 'writes meanwhile': written.count });
  });

  it('sell nothing twice', async () => {
    const STOCK = 100;
    const product = await activeProduct(client, at().base, { stock: STOCK });
    const orders = await times(20, 20, () =>
      must(client, 'POST', `${at().base}/orders`, { token: customerToken, body: {} }),
    );
    const outcomes = await times(400, 64, async (i) => {
      const url = `${at().base}/orders/${orders[i % orders.length].id}/items`;
      for (;;) {
        const { status, text } = await client.send('POST', url, {
          token: customerToken,
          body: { productId: product.id, quantity: 1 },
        });
        // Asked to try again, as the code says.
        if (status === 503 || (status === 409 && JSON.parse(text).code === 'CONFLICT')) continue;
        return status;
      }
    });
    expect(outcomes.filter((status) => status === 201)).toHaveLength(STOCK);
    expect(outcomes.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const left = await must(client, 'GET', `${at().base}/products/${product.id}`);
    expect(left.stock).toBe(0);
    report('stock', { place: place.name, asked: 400, sold: STOCK, left: left.stock });
  });
});

describe.each(places)('simultaneous changes of an order and its items on $name', (place) => {
  it('wait for each other for less than a second, and are never told to try again', async () => {
    const ROUNDS = 30;
    const cluster = await place.open(2);
    const client = new Client(16);
    const { base } = cluster.instances[0]!;
    await addCustomer(client, base);
    const product = await activeProduct(client, base, { stock: 1_000_000 });
    const body = (quantity: number) => ({ productId: product.id, quantity });
    const answers: Answer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const order = await must(client, 'POST', `${base}/orders`, { token: customerToken, body: {} });
      const path = `/orders/${order.id}`;
      const items = await times(4, 1, () =>
        must(client, 'POST', `${base}${path}/items`, { token: customerToken, body: body(1) }),
      );
      const changes: [method: string, path: string, body?: object][] = [
        ['PATCH', `${path}/items/${items[0]!.id}`, { quantity: 2 }],
        ['PATCH', `${path}/items/${items[1]!.id}`, { quantity: 3 }],
        ['PUT', `${path}/items/${items[2]!.id}`, body(4)],
        ['DELETE', `${path}/items/${items[3]!.id}`],
        ['POST', `${path}/items`, body(1)],
        ['PATCH', path, { note: 'soon' }],
        round % 2 === 0 ? ['PATCH', path, { status: 'CANCELLED' }] : ['DELETE', path],
      ];
      const sent = changes.map(([method, where, input], i) => {
        const instance = cluster.instances[(round + i) % cluster.instances.length]!;
        return client.send(method, instance.base + where, { token: customerToken, body: input });
      });
      answers.push(...(await Promise.all(sent)));
    }
    const slow = answers.filter(({ tookMs }) => tookMs > 1_000).length;
    report('an order and its items', {
      place: place.name,
      changes: answers.length,
      'above 1 s': slow,
      'slowest, ms': Math.max(...answers.map(({ tookMs }) => tookMs)),
      503: answers.filter(({ status }) => status === 503).length,
    });
    expect(slow).toBe(0);
    expect(answers.filter(({ status }) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
    client.close();
    await cluster.close();
  });
});

describe.skipIf(!hasPostgres || !hasRedis)('the rate limit of three instances', () => {
  it('is one limit, whatever addresses callers claim', async () => {
    const LIMIT = 300;
    const cluster = await places[1]!.open(3, { RATE_LIMIT: String(LIMIT) });
    const client = new Client(64);
    // Not across the end of a minute.
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left));
    const statuses = await times(3 * LIMIT, 64, async (i) => {
      const { base } = cluster.instances[i % 3]!;
      const headers = { 'x-forwarded-for': `10.0.${i % 256}.${i >> 8}`, forwarded: `for=10.1.0.${i % 256}` };
      return (await client.send('GET', `${base}/products`, { headers })).status;
    });
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(LIMIT * 0.98);
    expect(passed).toBeLessThanOrEqual(LIMIT * 1.02);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    const refused = await client.send('GET', `${cluster.instances[0]!.base}/products`);
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"caller";q=300;w=60' });
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    report('rate limit', { asked: 3 * LIMIT, passed });
    client.close();
    await cluster.close();
  });
});
