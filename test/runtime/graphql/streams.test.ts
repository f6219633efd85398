import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Turns } from '../../../src/runtime/async/turns.ts';
import { createEventBus } from '../../../src/runtime/engine/events/event-bus.ts';
import { EventStream } from '../../../src/runtime/engine/events/event-stream.ts';
import { MISSED_EVENTS } from '../../../src/runtime/engine/events/row-change.ts';
import { callAt } from '../../../src/runtime/graphql/subscriptions/call-at.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, customer, type Json, Shop } from '../../support/storefront.ts';

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const database = databases[0]!;

describe('a stream', () => {
  let shop: Shop | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await shop?.close();
    shop = undefined;
  });

  it('of a socket ends when the token expires', async () => {
    // The token of the tests is valid for an hour from the time that stands still.
    let now = NOW;
    shop = await Shop.open(database, { clock: () => now });
    const url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    now = NOW + 3_600_000 - 150;
    const authorization = `Bearer ${await tokenOf({ sub: admin.subject, scope: admin.scope })}`;
    const closed = await new Promise<[number, string]>((resolve) => {
      const client = createClient({
        url,
        webSocketImpl: WebSocket,
        lazy: false,
        onNonLazyError: () => {},
        retryAttempts: 0,
        connectionParams: { authorization },
        on: { closed: (event) => resolve([(event as Json).code, (event as Json).reason]) },
      });
      void client;
    });
    expect(closed).toEqual([4403, 'The token has expired.']);
  });

  it('of server-sent events ends when the token expires, and says so', async () => {
    let now = NOW;
    shop = await Shop.open(database, { clock: () => now });
    const url = `http://127.0.0.1:${await shop.listen()}/graphql`;
    now = NOW + 3_600_000 - 150;
    const authorization = `Bearer ${await tokenOf({ sub: admin.subject, scope: admin.scope })}`;
    const headers = { authorization, accept: 'text/event-stream', 'content-type': 'application/json' };
    const body = JSON.stringify({ query: 'subscription { orderCreated { id } }' });
    const text = await (await fetch(url, { method: 'POST', headers, body })).text();
    expect(text).toContain('UNAUTHENTICATED');
    expect(text).toContain('event: complete');
  });

  it('sends nothing more once the token has expired, even before its timer fires', async () => {
    let now = NOW;
    shop = await Shop.open(database, { clock: () => now });
    await shop.user(customer);
    const origin = `http://127.0.0.1:${await shop.listen()}`;
    const bearer = async (seconds: number) => {
      const token = await tokenOf({ sub: customer.subject, scope: customer.scope }, seconds);
      return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    };
    const order = async () =>
      fetch(`${origin}/v1/orders`, { method: 'POST', headers: await bearer(7_200), body: '{}' });
    const body = JSON.stringify({ query: 'subscription { orderCreated { id } }' });
    const headers = { ...(await bearer(3_600)), accept: 'text/event-stream' };
    const stream = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const { id } = (await (await order()).json()) as Json;
    expect((await reader.read()).value).toContain(id);
    now = NOW + 3_600_000;
    expect((await order()).status).toBe(201);
    expect((await reader.read()).value).toContain('UNAUTHENTICATED');
  });

  it('ends when the server stops, at once', async () => {
    shop = await Shop.open(database);
    const port = await shop.listen();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve) => socket.on('open', resolve));
    const code = new Promise((resolve) => socket.on('close', resolve));
    const stream = fetch(`http://127.0.0.1:${port}/graphql?query=subscription{productCreated{id}}`, {
      headers: { accept: 'text/event-stream' },
    }).then((response) => response.text());
    await fetch(`http://127.0.0.1:${port}/livez`);
    await shop.close();
    shop = undefined;
    expect(await code).toBe(1001);
    // Clients connect again to what is cut, and not to what is complete.
    expect(await stream).not.toContain('event: complete');
  });

  it('sends nothing more to a client that stops reading, and closes its socket', async () => {
    shop = await Shop.open(database, { graphql: { stallTimeoutMs: 300 } });
    await shop.user(customer);
    const port = await shop.listen();
    const socket = connect(port, '127.0.0.1');
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
    );
    const gone = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('data', resolve));
    const send = (message: object): void => {
      const text = Buffer.from(JSON.stringify(message));
      const head =
        text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0x80 | 126, text.length >> 8, text.length & 255];
      // A mask of zeros leaves the text as it is.
      socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), text]));
    };
    send({ type: 'connection_init' });
    await new Promise((resolve) => socket.once('data', resolve));
    send({ type: 'subscribe', id: '1', payload: { query: `subscription { productUpdated { ${bigFields()} } }` } });
    send({ type: 'ping' });
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const product = await shop.product({ description: '😀'.repeat(5_000) });
    const before = process.memoryUsage().rss;
    let isGone = false;
    void gone.then(() => {
      isGone = true;
    });
    for (let i = 0; i < 750 && !isGone; i++) await shop.patch(`/products/${product.id}`, admin, { name: `Mug ${i}` });
    socket.resume();
    await gone;
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
  });
});

const bigFields = (): string => Array.from({ length: 14 }, (_, i) => `d${i}: description`).join(' ');

describe('an event stream', () => {
  it('yields the events that arrived before it was read, in order, then new ones', async () => {
    const stream = new EventStream<number>(10, 0, () => {});
    stream.push(1);
    stream.push(2);
    expect([(await stream.next()).value, (await stream.next()).value]).toEqual([1, 2]);
    const next = stream.next();
    stream.push(3);
    expect(await next).toEqual({ value: 3, done: false });
  });

  it('queues a limited number of events, one of which stands for those beyond it, and goes on', async () => {
    const stream = new EventStream<number | 'missed'>(2, 'missed', () => {});
    for (const value of [1, 2, 3]) stream.push(value);
    expect([(await stream.next()).value, (await stream.next()).value]).toEqual(['missed', 3]);
    stream.push(4);
    expect((await stream.next()).value).toBe(4);
  });

  it('ends for a waiting reader, once', async () => {
    let ends = 0;
    const stream = new EventStream<number>(2, 0, () => {
      ends += 1;
    });
    const next = stream.next();
    await stream.return();
    await stream.return();
    expect(await next).toEqual({ value: undefined, done: true });
    stream.push(1);
    expect((await stream.next()).done).toBe(true);
    expect(ends).toBe(1);
  });
});

describe('the event bus', () => {
  it('calls listeners for their resource and kind, until they unsubscribe', () => {
    const bus = createEventBus(new Turns(5, () => 0));
    const seen: string[] = [];
    const leave = bus.subscribe('cats', 'created', (change) =>
      seen.push(change === MISSED_EVENTS ? 'missed' : String(change.row[0])),
    );
    const change = (kind: 'created' | 'updated', row: string) => ({
      resource: 'cats',
      kind,
      row: [row],
      ancestors: [],
    });
    bus.publish([change('created', 'a'), change('updated', 'b')]);
    bus.announceMissedEvents();
    bus.announceMissedEvents('cats');
    bus.announceMissedEvents('dogs');
    leave();
    bus.publish([change('created', 'c')]);
    bus.announceMissedEvents();
    expect(seen).toEqual(['a', 'missed', 'missed']);
  });

  it('calls ten thousand listeners in well under a second', async () => {
    const turns = new Turns();
    const bus = createEventBus(turns);
    let calls = 0;
    for (let i = 0; i < 10_000; i++) bus.subscribe('cats', 'created', () => calls++);
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i++) bus.publish([{ resource: 'cats', kind: 'created', row: [], ancestors: [] }]);
    await turns.idle();
    expect(calls).toBe(100_000);
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  /** A bus whose turns have 5 ms, of which each call of a listener takes one, and what its first listener was told. */
  function slowBus(maxWaiting?: number) {
    let nowMs = 0;
    const turns = new Turns(5, () => nowMs);
    const bus = createEventBus(turns, maxWaiting);
    const told: unknown[] = [];
    bus.subscribe('cats', 'created', (change) => {
      nowMs++;
      told.push(change === MISSED_EVENTS ? 'missed' : change.row[0]);
    });
    return { bus, turns, told };
  }

  const created = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({
      resource: 'cats',
      kind: 'created' as const,
      row: [from + i],
      ancestors: [],
    }));
  const numbers = (to: number) => Array.from({ length: to }, (_, i) => i);

  it('publishes many changes in turns, in their order, to those who listened by then', async () => {
    const { bus, turns, told } = slowBus();
    const late: unknown[] = [];
    bus.publish(created(0, 20));
    expect(told).toEqual(numbers(5));
    bus.subscribe('cats', 'created', (change) => late.push(change));
    bus.announceMissedEvents('cats');
    bus.publish(created(20, 22));
    await turns.idle();
    expect(told).toEqual([...numbers(20), 'missed', 20, 21]);
    expect(late).toHaveLength(3);
  });

  it('tells as many at once as are published where more wait than may', async () => {
    const { bus, turns, told } = slowBus(3);
    bus.publish(created(0, 20));
    expect(told).toEqual(numbers(5));
    bus.publish(created(20, 22));
    expect(told).toEqual(numbers(7));
    await turns.idle();
    expect(told).toEqual(numbers(22));
  });

  it('tells in turns what a transaction of several kinds has changed, however much it is', async () => {
    const { bus, turns, told } = slowBus(3);
    bus.subscribe('cats', 'deleted', (change) => told.push(change === MISSED_EVENTS ? 'missed' : `-${change.row[0]}`));
    bus.publish(created(0, 20).map((change, i) => (i % 2 === 1 ? { ...change, kind: 'deleted' as const } : change)));
    expect(told.length).toBeLessThan(12);
    await turns.idle();
    expect(told).toHaveLength(20);
  });

  it('changes of several kinds come in their order', async () => {
    const { bus, turns, told } = slowBus();
    bus.subscribe('cats', 'deleted', (change) => told.push(change === MISSED_EVENTS ? 'missed' : `-${change.row[0]}`));
    bus.publish(created(0, 8).map((change, i) => (i % 3 === 2 ? { ...change, kind: 'deleted' as const } : change)));
    await turns.idle();
    expect(told).toEqual([0, 1, '-2', 3, 4, '-5', 6, 7]);
  });
});

it('a delay that is longer than a timer supports is waited for in steps', () => {
  vi.useFakeTimers({ now: NOW });
  let came = false;
  const days = 86_400_000;
  callAt(
    NOW + 40 * days,
    () => Date.now(),
    () => {
      came = true;
    },
  );
  vi.advanceTimersByTime(39 * days);
  expect(came).toBe(false);
  vi.advanceTimersByTime(1 * days);
  expect(came).toBe(true);
  vi.useRealTimers();
});
