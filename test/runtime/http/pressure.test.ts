import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Pressure, type PressureLimits } from '../../../src/runtime/http/pressure.ts';
import { openZoo, operations } from '../rest/support/zoo.ts';

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function ask(port: number, request: string): Promise<{ socket: Socket; answer: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  await once(socket, 'connect');
  socket.write(request);
  return { socket, answer: () => received };
}

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

  const running = [await ask(port, GET('/v1/points/1,2')), await ask(port, GET('/v1/points/1,2'))];
  while (begun < 2) await new Promise((resolve) => setImmediate(resolve));
  const refused = await ask(port, GET('/v1/points/1,2'));
  await once(refused.socket, 'data');
  expect(refused.answer()).toContain('HTTP/1.1 503 Service Unavailable');
  expect(refused.answer().toLowerCase()).toContain('retry-after: 1');
  expect(refused.answer()).toContain('"code":"SERVICE_UNAVAILABLE"');
  const health = await ask(port, GET('/livez'));
  await once(health.socket, 'data');
  expect(health.answer()).toContain('HTTP/1.1 404');

  mayFinish.resolve();
  for (const { socket } of running) await once(socket, 'data');
  for (const { answer } of running) expect(answer()).toContain('HTTP/1.1 200 OK');
  const next = await ask(port, GET('/v1/points/1,2'));
  await once(next.socket, 'data');
  expect(next.answer()).toContain('HTTP/1.1 200 OK');
  for (const { socket } of [...running, refused, next, health]) socket.destroy();
  await app.close();
  expect(pressure.concurrent).toBe(0);
});

/** The response to a request whose connection may end. */
class Response extends EventEmitter {
  destroyed = false;
}

/** Asks for requests to be processed, each of which takes a time, and counts what becomes of them. */
class Callers {
  now = 0;
  started = 0;
  refused = 0;
  readonly pressure: Pressure;

  constructor(limits: PressureLimits) {
    this.pressure = new Pressure(limits, () => this.now);
  }

  ask(count: number, tookMs: number): Response[] {
    return Array.from({ length: count }, () => {
      const response = new Response();
      const start = (): void => {
        this.now += tookMs;
        this.started++;
        response.emit('close');
      };
      const refuse = (): void => {
        this.refused++;
      };
      this.pressure.admit(response, { start, refuse, isAnsweredAtOnce: false });
      return response;
    });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('requests that a turn has no time for wait for the next, in their order', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  callers.ask(50, 5);
  expect(callers.started).toBe(5);
  await turn();
  expect(callers.started).toBe(10);
  while (callers.pressure.concurrent > 0) await turn();
  expect([callers.started, callers.refused]).toEqual([50, 0]);
});

test('requests that would wait too long are refused in the next turn, but a hundred may always wait', async () => {
  const callers = new Callers({ maxConcurrent: 10_000, maxWaitMs: 250 });
  // It is known by now how long they take.
  callers.ask(100, 5);
  while (callers.pressure.concurrent > 0) await turn();
  callers.ask(2_000, 5);
  const begunMs = callers.now;
  while (callers.refused < 1_895) {
    expect(callers.now - begunMs).toBeLessThan(100);
    await turn();
  }
  while (callers.pressure.concurrent > 0) await turn();
  expect([callers.started, callers.refused]).toEqual([205, 1_895]);
});

test('clients that ask again at once take a bounded part of each turn', async () => {
  let [now, refusals] = [0, 0];
  const pressure = new Pressure({ maxConcurrent: 0, maxWaitMs: 250 }, () => now);
  const refuse = (): void => {
    now++;
    refusals++;
    ask();
  };
  const ask = (): void => pressure.admit(new Response(), { start: () => {}, refuse, isAnsweredAtOnce: false });
  for (let i = 0; i < 100; i++) ask();
  await turn();
  expect(refusals).toBe(10);
  await turn();
  expect(refusals).toBe(20);
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
      start: () => {},
      refuse: ({ code }) => {
        codes = [...codes, code];
      },
      isAnsweredAtOnce: true,
    });
  for (const response of [stream, answer, refused]) admit(response);
  expect(codes).toEqual(['SERVICE_UNAVAILABLE']);
  pressure.release(refused);
  expect(pressure.concurrent).toBe(2);
  for (let i = 0; i < 2; i++) pressure.release(stream);
  expect(pressure.concurrent).toBe(1);
  stream.emit('close');
  answer.emit('close');
  expect(pressure.concurrent).toBe(0);
});
