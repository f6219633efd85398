import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Pressure } from '../../../src/runtime/http/pressure.ts';
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
  const pressure = new Pressure({ maxConcurrent: 2, maxTurnMs: 1_000 });
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

test('requests that wait longer than a turn may last are refused until the next turn', async () => {
  let now = 0;
  const pressure = new Pressure({ maxConcurrent: 10_000, maxTurnMs: 100 }, () => now);
  const admits = (): boolean => pressure.admit(new EventEmitter()) === undefined;
  for (let i = 0; i < 100; i++) expect(admits()).toBe(true);
  now = 100;
  expect(admits()).toBe(true);
  now = 101;
  expect(admits()).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(admits()).toBe(true);
});

test('a response that has become a stream is no longer counted, and not counted down again when it ends', () => {
  const pressure = new Pressure({ maxConcurrent: 2, maxTurnMs: 1_000 });
  const [stream, answer, refused] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
  for (const response of [stream, answer]) expect(pressure.admit(response)).toBeUndefined();
  expect(pressure.admit(refused)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  pressure.release(refused);
  expect(pressure.concurrent).toBe(2);
  for (let i = 0; i < 2; i++) pressure.release(stream);
  expect(pressure.concurrent).toBe(1);
  stream.emit('close');
  answer.emit('close');
  expect(pressure.concurrent).toBe(0);
});
