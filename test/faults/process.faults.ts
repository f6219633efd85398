import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Instance } from '../support/instance.ts';
import { type Answer, Client } from './support/client.ts';
import { type Cluster, places } from './support/places.ts';
import {
  addCustomer,
  adminToken,
  all,
  customerToken,
  isValid,
  json,
  must,
  productInput,
  quantile,
  report,
  times,
} from './support/shop.ts';

const isRefusal = (answer: Answer): boolean =>
  answer.status === 503 && isValid(answer) && answer.headers['retry-after'] === '1';

/** Whether it still takes connections. */
const isListening = ({ origin }: Instance): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.unref().end();
  });

describe.each(places)('a process on $name', (place) => {
  let cluster: Cluster;
  let instance: Instance;
  let client: Client;

  beforeEach(async () => {
    cluster = await place.open(1);
    [instance] = cluster.instances as [Instance];
    client = new Client(64);
    await addCustomer(client, instance.base);
  });
  afterEach(async () => {
    client.close();
    await cluster.close();
  });

  it('that is killed loses nothing it has acknowledged', async () => {
    const WRITES = 20_000;
    const acknowledged: string[] = [];
    const kills = { count: 0 };
    let restarting: Promise<void> | undefined;
    const restart = async () => {
      kills.count++;
      await instance.end('SIGKILL');
      await instance.start();
    };
    await times(WRITES, 64, async (i) => {
      const key = `write-${i}`;
      for (;;) {
        await restarting;
        try {
          const answer = await client.send('POST', `${instance.base}/orders`, {
            token: customerToken,
            body: { note: key },
            headers: { 'idempotency-key': key },
          });
          if (answer.status === 201) {
            acknowledged.push(json(answer).id);
            if (acknowledged.length % 5_000 === 2_500) restarting = restart();
            return;
          }
          expect(isValid(answer)).toBe(true);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        }
        await delay(5);
      }
    });
    const kept = await all(client, `${instance.base}/orders`, customerToken);
    const ids = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(kept.map(({ note }) => note)).size).toBe(WRITES);
    expect(kept).toHaveLength(WRITES);
    report('kill -9', { place: place.name, acknowledged: acknowledged.length, kills: kills.count, lost: 0, twice: 0 });
  });

  it('that gets SIGTERM finishes running requests, refuses what open connections still bring, and exits', async () => {
    const STOP_DELAY_MS = 500;
    const { id } = await must(client, 'POST', `${instance.base}/products`, { token: adminToken, body: productInput() });
    const url = `${instance.base}/products/${id}`;
    const idle = new Client(1);
    await must(idle, 'GET', url);
    const broken: string[] = [];
    const counts = { ok: 0, refused: 0 };
    let stoppedAt = Number.POSITIVE_INFINITY;
    let isOver = false;
    const ask = async (i: number) => {
      const asked = performance.now();
      try {
        const answer: Answer =
          i % 4 === 0
            ? await client.send('POST', `${instance.base}/orders`, { token: customerToken, body: {} })
            : await client.send('GET', url);
        if (answer.status < 300) counts.ok++;
        else if (isRefusal(answer)) counts.refused++;
        else broken.push(`${answer.status} ${answer.text}`);
      } catch (error) {
        // Of what is sent after the end, nobody takes the connection; nothing else may break.
        if (asked < stoppedAt + STOP_DELAY_MS - 50) broken.push(`${(error as Error).message}, ${asked - stoppedAt} ms`);
        else await delay(5);
      }
    };
    const loading = Promise.all(
      Array.from({ length: 32 }, async (_, worker) => {
        for (let i = worker; !isOver; i++) await ask(i);
      }),
    );
    await delay(1_000);
    stoppedAt = performance.now();
    const ending = instance.end('SIGTERM');
    await eventually(() => expect(isListening(instance)).resolves.toBe(false));
    const late = await idle.send('GET', url);
    const finished = await ending;
    const tookMs = performance.now() - stoppedAt;
    isOver = true;
    await loading;
    expect(broken).toEqual([]);
    expect(finished!.code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(isRefusal(late), late.text).toBe(true);
    idle.close();
    report('SIGTERM', { place: place.name, ...counts, broken: 0, 'ms to the end': tookMs });
  });

  it('that gets twice what it can do goes on doing nearly all it can', async () => {
    const { id } = await must(client, 'POST', `${instance.base}/products`, { token: adminToken, body: productInput() });
    const url = `${instance.base}/products?limit=100&count=true&name[contains]=`;
    for (let i = 0; i < 100; i++)
      await must(client, 'POST', `${instance.base}/products`, { token: adminToken, body: productInput() });
    const flood = async (connections: number, ms: number, perSecond = Number.POSITIVE_INFINITY) => {
      const flooding = new Client(connections);
      const answers: Answer[] = [];
      const pauseMs = (connections / perSecond) * 1_000;
      const end = performance.now() + ms;
      await Promise.all(
        Array.from({ length: connections }, async (_, worker) => {
          let dueMs = performance.now() + pauseMs * Math.random();
          for (let i = worker; performance.now() < end; i++) {
            if (pauseMs > 0) await delay(Math.max(0, dueMs - performance.now()));
            dueMs = Math.max(dueMs + pauseMs, performance.now());
            // Each another list: none is kept.
            const answer = await flooding.send('GET', `${url}${id.slice(0, 4)}${i}-${connections}-${worker}`);
            answers.push(answer);
          }
        }),
      );
      flooding.close();
      const good = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(answers.filter((answer) => !isValid(answer))).toEqual([]);
      expect(refused.filter(({ status }) => status !== 503 && status !== 429)).toEqual([]);
      expect(refused.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([]);
      return { goodput: good.length / (ms / 1_000), good, refused };
    };
    await flood(32, 2_000);
    // Measured on both sides of it: the machine may have more or less to spare by then.
    const before = await flood(32, 3_000);
    const over = await flood(500, 10_000, 2 * before.goodput);
    const after = await flood(32, 3_000);
    const peak = (before.goodput + after.goodput) / 2;
    report('overload', {
      place: place.name,
      'peak per second': peak,
      'under twice as much': over.goodput,
      share: over.goodput / peak,
      refused: over.refused.length,
      'p50 ms of refusals': quantile(
        over.refused.map(({ tookMs }) => tookMs),
        0.5,
      ),
      'p99 ms of answers': quantile(
        over.good.map(({ tookMs }) => tookMs),
        0.99,
      ),
    });
    expect(over.goodput).toBeGreaterThan(peak * 0.8);
    expect((await client.send('GET', `${instance.origin}/readyz`)).status).toBe(200);
  });
});
