import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Pressure, type PressureLimits } from '../../../src/runtime/http/pressure.ts';
import { eventually } from '../../support/eventually.ts';
import { converse } from '../rest/support/raw-http.ts';
import { openZoo, operations } from '../rest/support/zoo.ts';

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a server with the maximum of concurrent requests refuses the next, but not those for its health', async () => {
  const mayFinish = Promise.withResolvers<void>();
  let begun = 0;
  const getPoint = async () => {
    begun++;
    await mayFinish.promise;
    return { status: 200, body: 'finished' };
  };
  const pressure = new Pressure({ maxConcurrent: 2, maxWaitMs: 1_000 });
  const { app } = await openZoo({ operations: { ...operations, getPoint }, pressure });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  const running = [await converse(port, GET('/v1/points/1,2')), await converse(port, GET('/v1/points/1,2'))];
  while (begun < 2) await new Promise((resolve) => setImmediate(resolve));
  const refused = await converse(port, GET('/v1/points/1,2'));
  await once(refused.socket, 'data');
  expect(refused.answer()).toContain('HTTP/1.1 503 Service Unavailable');
  expect(refused.answer().toLowerCase()).toContain('retry-after: 1');
  expect(refused.answer()).toContain('"code":"SERVICE_UNAVAILABLE"');
  const health = await converse(port, GET('/livez'));
  await once(health.socket, 'data');
  expect(health.answer()).toContain('HTTP/1.1 404');

  mayFinish.resolve();
  for (const { socket } of running) await once(socket, 'data');
  for (const { answer } of running) expect(answer()).toContain('HTTP/1.1 200 OK');
  const next = await converse(port, GET('/v1/points/1,2'));
  await once(next.socket, 'data');
  expect(next.answer()).toContain('HTTP/1.1 200 OK');
  for (const { socket } of [...running, refused, next, health]) socket.destroy();
  await app.close();
  expect(pressure.concurrent).toBe(0);
});

const DOCUMENT = '{"title":"a"}';

/** A request with a body whose last bytes are missing. */
const POST = (missing: number): string =>
  `POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${DOCUMENT.length + missing}\r\n\r\n${DOCUMENT}`;

describe('bodies of which a part is missing', () => {
  const open = async (options: Parameters<typeof openZoo>[0], maxBodyBytes?: number) => {
    const { app } = await openZoo(options, maxBodyBytes === undefined ? {} : { maxBodyBytes });
    onTestFinished(async () => void (await app.close()));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    return {
      ask: async (count: number, request: string, localAddress?: string) => {
        const asked = await Promise.all(Array.from({ length: count }, () => converse(port, request, localAddress)));
        sockets.push(...asked.map(({ socket }) => socket));
        return asked;
      },
    };
  };
  const statuses = (asked: readonly { answer(): string }[]): string[] =>
    asked.map(({ answer }) => answer().slice(9, 12)).filter((status) => status !== '');

  test('take no places of other requests', async () => {
    const pressure = new Pressure({ maxConcurrent: 2, maxWaitMs: 1_000 });
    const { ask } = await open({ pressure });
    const slow = await ask(10, POST(8));
    const others = await ask(1, GET('/v1/points/1,2'));
    await eventually(() => expect(statuses(others)).toEqual(['200']));
    expect([statuses(slow), pressure.concurrent]).toEqual([[], 0]);
    slow[0]!.socket.write(' '.repeat(8));
    await eventually(() => expect(statuses(slow)).toEqual(['201']));
    expect(pressure.concurrent).toBe(0);
  });

  test('are refused beyond 64 of an address; those that came whole are not', async () => {
    const { ask } = await open({});
    const slow = await ask(70, POST(8));
    await eventually(() => expect(statuses(slow)).toEqual(Array.from({ length: 6 }, () => '503')));
    const whole = await ask(20, POST(0));
    await eventually(() => expect(statuses(whole)).toEqual(Array.from({ length: 20 }, () => '201')));
    for (const { socket } of slow) socket.write(' '.repeat(8));
    await eventually(() => expect(statuses(slow).filter((status) => status === '201')).toHaveLength(64));
    const next = await ask(70, POST(8));
    await eventually(() => expect(statuses(next)).toEqual(Array.from({ length: 6 }, () => '503')));
  });

  test('are refused beyond 64 MiB in all, by what they declare, and of an address beyond what it leaves to others', async () => {
    const { ask } = await open({}, 2 ** 22);
    const slow = await ask(20, POST(2 ** 22 - DOCUMENT.length));
    await eventually(() => expect(statuses(slow)).toEqual(Array.from({ length: 12 }, () => '503')));
    const others = await ask(20, POST(2 ** 22 - DOCUMENT.length), '127.0.0.2');
    await eventually(() => expect(statuses(others)).toEqual(Array.from({ length: 16 }, () => '503')));
  });
});

/** The response to a request whose connection may end. */
class Response extends EventEmitter {
  destroyed = false;
}

const request = { caller: 'a', isPlaced: true };

/** Asks for requests to be processed, each of which takes a time, and counts what becomes of them. */
class Callers {
  now = 0;
  started = 0;
  refused = 0;
  /** Who was served, in this order. */
  readonly order: string[] = [];
  readonly pressure: Pressure;

  constructor(limits: PressureLimits) {
    this.pressure = new Pressure(limits, () => this.now);
  }

  ask(count: number, tookMs: number, caller = 'a'): Response[] {
    return Array.from({ length: count }, () => {
      const response = new Response();
      const start = (): void => {
        this.now += tookMs;
        this.started++;
        this.order.push(caller);
        response.emit('close');
      };
      const refuse = (): void => {
        this.refused++;
      };
      this.pressure.admit(response, { ...request, caller, start, refuse });
      return response;
    });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('requests that a turn has no time for wait for the next, in their order', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  callers.ask(50, 5);
  expect(callers.started).toBe(3);
  // This turn has had its time.
  await turn();
  expect(callers.started).toBe(3);
  await turn();
  expect(callers.started).toBe(6);
  while (callers.pressure.concurrent > 0) await turn();
  expect([callers.started, callers.refused]).toEqual([50, 0]);
});

test('callers who wait are served one after the other, whatever one of them asks for', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  callers.ask(50, 20, 'a');
  callers.ask(2, 1, 'b');
  callers.ask(1, 1, 'c');
  while (callers.pressure.concurrent > 0) await turn();
  // The first was there before anybody else.
  expect(callers.order.slice(0, 6)).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  expect(callers.order.slice(6).join('')).toBe('a'.repeat(47));
});

test('a caller whose own requests are too many is refused, and nobody else', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  callers.ask(100, 20, 'a');
  while (callers.pressure.concurrent > 0) await turn();
  callers.ask(300, 20, 'a');
  callers.ask(5, 20, 'b');
  while (callers.pressure.concurrent > 0) await turn();
  expect(callers.order.filter((caller) => caller === 'b')).toHaveLength(5);
  expect(callers.refused).toBeGreaterThan(100);
});

test('no caller has more places than are left for others', async () => {
  const callers = new Callers({ maxConcurrent: 1_000, maxWaitMs: 1e6 });
  callers.ask(2_000, 1, 'a');
  callers.ask(2_000, 1, 'b');
  callers.ask(100, 1, 'c');
  while (callers.pressure.concurrent > 0) await turn();
  const served = (caller: string): number => callers.order.filter((one) => one === caller).length;
  expect(served('a')).toBeLessThan(550);
  expect(served('b')).toBeLessThan(300);
  expect(served('c')).toBe(100);
});

test('the last places are for callers of whom nothing waits, however many others there are', async () => {
  const callers = new Callers({ maxConcurrent: 500, maxWaitMs: 1e6 });
  for (let i = 0; i < 20; i++) callers.ask(200, 1, `flood ${i}`);
  callers.ask(1, 1, 'bystander');
  while (callers.pressure.concurrent > 0) await turn();
  expect(callers.order).toContain('bystander');
});

test('requests that would wait too long are refused in the next turn, but a hundred may always wait', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  // It is known by now how long they take.
  callers.ask(100, 5);
  while (callers.pressure.concurrent > 0) await turn();
  callers.ask(2_000, 5);
  const begunMs = callers.now;
  while (callers.refused < 1_897) {
    expect(callers.now - begunMs).toBeLessThan(100);
    await turn();
  }
  while (callers.pressure.concurrent > 0) await turn();
  expect([callers.started, callers.refused]).toEqual([203, 1_897]);
});

test('what is not to wait for others does so for what one caller asks too often', async () => {
  let now = 0;
  const order: string[] = [];
  const pressure = new Pressure({ maxConcurrent: 0, maxWaitMs: 250 }, () => now);
  const ask = (caller: string): void =>
    pressure.open(new Response(), caller, () => {
      now++;
      order.push(caller);
    });
  for (let i = 0; i < 50; i++) ask('a');
  expect(order).toHaveLength(5);
  ask('b');
  await turn();
  await turn();
  expect(order.join('')).toBe('aaaaaabaaa');
});

test('clients that ask again at once take a bounded part of each turn', async () => {
  let [now, refusals] = [0, 0];
  const pressure = new Pressure({ maxConcurrent: 0, maxWaitMs: 250 }, () => now);
  const refuse = (): void => {
    now++;
    refusals++;
    ask();
  };
  const ask = (): void => pressure.admit(new Response(), { ...request, start: () => {}, refuse });
  for (let i = 0; i < 100; i++) ask();
  await turn();
  expect(refusals).toBe(5);
  await turn();
  expect(refusals).toBe(10);
});

test('fast requests may be many', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  callers.ask(200, 0.1);
  while (callers.pressure.concurrent > 0) await turn();
  callers.ask(2_000, 0.1);
  while (callers.pressure.concurrent > 0) await turn();
  expect([callers.started, callers.refused]).toEqual([2_200, 0]);
});

test('a request whose connection ends while it waits is not processed', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  const responses = callers.ask(20, 5);
  for (const response of responses.slice(10)) {
    response.destroyed = true;
    response.emit('close');
  }
  while (callers.pressure.concurrent > 0) await turn();
  for (let i = 0; i < 10; i++) await turn();
  expect(callers.started).toBe(10);
});

test('a response that has become a stream is no longer counted, and not counted down again when it ends', async () => {
  const pressure = new Pressure({ maxConcurrent: 2, maxWaitMs: 1_000 });
  const [stream, answer, refused] = [new Response(), new Response(), new Response()];
  let codes: string[] = [];
  const admit = (response: Response): void =>
    pressure.admit(response, {
      ...request,
      start: () => {},
      refuse: ({ code }) => {
        codes = [...codes, code];
      },
    });
  for (const response of [stream, answer, refused]) admit(response);
  await turn();
  expect(codes).toEqual(['SERVICE_UNAVAILABLE']);
  pressure.release(refused);
  expect(pressure.concurrent).toBe(2);
  for (let i = 0; i < 2; i++) pressure.release(stream);
  expect(pressure.concurrent).toBe(1);
  stream.emit('close');
  answer.emit('close');
  expect(pressure.concurrent).toBe(0);
});
