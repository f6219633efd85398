import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { eventually } from '../support/eventually.ts';
import { Instance } from '../support/instance.ts';
import { borrowEmptyDatabase, hasPostgres } from '../support/postgres.ts';
import { ask, isRunning, subscriber, workersOf } from '../support/workers.ts';
import { Client } from './support/client.ts';
import { activeProduct, addCustomer, adminToken, all, customerToken, json, report } from './support/shop.ts';

describe.runIf(hasPostgres)('an instance of three workers', () => {
  let database: Awaited<ReturnType<typeof borrowEmptyDatabase>>;
  let instance: Instance;
  let metrics: string;

  beforeEach(async () => {
    database = await borrowEmptyDatabase();
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}/metrics`;
    instance = await Instance.start({ DATABASE_URL: database.url, WORKERS: '3', METRICS_PORT: String(port) });
  });
  afterEach(async () => {
    await instance.end('SIGKILL');
    await database.giveBack();
  });

  const replaced = (gone: number) =>
    eventually(() => {
      const workers = workersOf(instance);
      expect(workers).toHaveLength(3);
      expect(workers).not.toContain(gone);
    });

  it('loses nothing acknowledged when workers are killed, and serves on', async () => {
    const client = new Client(48);
    await addCustomer(client, instance.base);
    const acknowledged: string[] = [];
    const strays: number[] = [];
    let [isOver, broken, made] = [false, 0, 0];
    const create = async () => {
      while (!isOver) {
        const note = `order-${++made}`;
        for (let status = 0; status !== 201 && !isOver; )
          try {
            const asked = { token: customerToken, body: { note }, headers: { 'idempotency-key': note } };
            const answer = await client.send('POST', `${instance.base}/orders`, asked);
            status = answer.status;
            if (status === 201) acknowledged.push(json(answer).id);
            else if (status !== 409 && status !== 503) strays.push(status);
          } catch {
            broken++;
            // While none serves, connections are refused at once: whoever asks on and on keeps workers from their start.
            await delay(20);
          }
      }
    };
    const writers = Array.from({ length: 16 }, create);
    const KILLS = 5;
    for (let i = 0; i < KILLS; i++) {
      await delay(1_500);
      const [first] = workersOf(instance);
      process.kill(first!, 'SIGKILL');
      await replaced(first!);
    }
    // All that served may have been killed before the others came to serve.
    await eventually(async () => expect(await instance.isReady()).toBe(true));
    isOver = true;
    await Promise.all(writers);
    const kept = await all(client, `${instance.base}/orders`, customerToken);
    expect(strays).toEqual([]);
    const ids = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(kept.map(({ note }) => note)).size).toBe(kept.length);
    report('workers killed', { kills: KILLS, acknowledged: acknowledged.length, broken, lost: 0 });
    expect(acknowledged.length).toBeGreaterThan(100);
    client.close();
  });

  it('tells the subscribers of the others that they may have missed events, and keeps what was counted', async () => {
    const client = new Client(8);
    const { id } = await activeProduct(client, instance.base);
    const subscribers = await Promise.all(
      Array.from({ length: 6 }, () => subscriber(instance, 'productUpdated', 'version', adminToken)),
    );
    const total = async () => {
      const text = await (await fetch(metrics)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('http_server_request_duration_seconds_count'));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await total();
    const [first] = workersOf(instance);
    process.kill(first!, 'SIGKILL');
    await replaced(first!);
    expect(await total()).toBeGreaterThanOrEqual(before);
    await eventually(() => {
      for (const { received } of subscribers) expect(['EVENTS_MISSED', 'closed']).toContain(String(received));
    });
    const others = subscribers.filter(({ received }) => String(received) === 'EVENTS_MISSED');
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(subscribers.length);
    for (let i = 0; i < 6; i++) {
      const written = await ask(instance, 'PATCH', `/v1/products/${id}`, {
        token: adminToken,
        body: { stock: 50 + i },
      });
      expect(written).toMatchObject({ status: 200, body: { version: 3 + i } });
    }
    await eventually(() => {
      for (const { received } of others) expect(received).toEqual(['EVENTS_MISSED', 3, 4, 5, 6, 7, 8]);
    });
    for (const { end } of subscribers) await end();
    client.close();
  });

  it('fails no request while its workers are replaced one after the other, and is ready all the time', async () => {
    const client = new Client(8);
    const { id } = await activeProduct(client, instance.base);
    const before = workersOf(instance);
    let [isOver, answered] = [false, 0];
    const faults: unknown[] = [];
    const load = async (agent: Agent | undefined, path: string) => {
      while (!isOver) {
        const asked = ask(instance, 'GET', path, agent && { agent });
        const answer = await asked.catch((error: unknown) => ({ status: String(error) }));
        answered++;
        if (answer.status !== 200) faults.push(`${path} ${answer.status}`);
      }
    };
    const kept = new Agent({ keepAlive: true, maxSockets: 6 });
    const loads = [
      ...Array.from({ length: 6 }, () => load(kept, `/v1/products/${id}`)),
      load(undefined, `/v1/products/${id}`),
      load(undefined, '/readyz'),
    ];
    await delay(500);
    process.kill(instance.pid, 'SIGUSR2');
    await eventually(() => {
      const workers = workersOf(instance);
      expect(workers).toHaveLength(3);
      expect(workers.filter((pid) => before.includes(pid))).toEqual([]);
    });
    await delay(500);
    isOver = true;
    await Promise.all(loads);
    report('workers replaced', { answered, failed: faults.length });
    expect(faults).toEqual([]);
    kept.destroy();
    client.close();
  });

  it('keeps its workers when the primary is frozen, and serves on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const served = () => ask(instance, 'GET', '/livez', { agent });
    await served();
    const workers = workersOf(instance);
    process.kill(instance.pid, 'SIGSTOP');
    await delay(12_000);
    expect((await served()).status).toBe(200);
    process.kill(instance.pid, 'SIGCONT');
    await delay(1_500);
    expect((await ask(instance, 'GET', '/livez')).status).toBe(200);
    expect(workersOf(instance)).toEqual(workers);
    agent.destroy();
  });

  it('ends one that is frozen, and its workers end when it is killed', async () => {
    const [first] = workersOf(instance);
    process.kill(first!, 'SIGSTOP');
    await replaced(first!);
    const workers = workersOf(instance);
    const whole = await orderUnderWay(instance);
    process.kill(instance.pid, 'SIGKILL');
    await delay(300);
    // The customer has no user that an order could be for.
    expect(await whole()).toMatch(/^HTTP\/1\.1 422/);
    await eventually(() => expect(workers.filter(isRunning)).toEqual([]));
  });
});

/** Begins to send an order; sends the rest when it is asked to, and gives the answer. */
async function orderUnderWay({ origin }: Instance): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ note: 'the primary is gone' });
  const fields = `Host: x\r\nAuthorization: Bearer ${customerToken}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`POST /v1/orders HTTP/1.1\r\n${fields}\r\n\r\n${body.slice(0, 5)}`);
  await delay(300);
  return async () => {
    socket.write(body.slice(5));
    const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    return String(answer);
  };
}
