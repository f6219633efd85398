import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Pressure } from '../../../src/runtime/http/pressure.ts';
import { eventually } from '../../support/eventually.ts';
import { type Conversation, converse } from '../rest/support/raw-http.ts';
import { openZoo, operations } from '../rest/support/zoo.ts';

const GET = 'GET /v1/points/1,2 HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKED =
  'POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

const inChunks = (text: string, length: number): string =>
  `${(text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

async function open(options: Parameters<typeof openZoo>[0] = {}) {
  const { app } = await openZoo(options);
  onTestFinished(async () => void (await app.close()));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return async (text: string): Promise<Conversation> => {
    const conversation = await converse(port, text);
    onTestFinished(() => void conversation.socket.destroy());
    return conversation;
  };
}

/** A server whose point takes until the returned function is called; how many requests it has parsed, and begun. */
async function openWaiting(settings: Parameters<typeof openZoo>[1] = {}) {
  const mayFinish = Promise.withResolvers<void>();
  const seen = { begun: 0, parsed: 0 };
  const getPoint = async () => {
    seen.begun++;
    await mayFinish.promise;
    return { status: 200, body: 'finished' };
  };
  const pressure = new Pressure({ maxConcurrent: 10_000, maxWaitMs: 10_000 });
  const { app } = await openZoo({ operations: { ...operations, getPoint }, pressure }, settings);
  onTestFinished(async () => {
    mayFinish.resolve();
    await app.close();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  app.server.on('request', () => seen.parsed++);
  const { port } = app.server.address() as AddressInfo;
  const ask = async (text: string, from?: string): Promise<Conversation> => {
    const conversation = await converse(port, text, from);
    onTestFinished(() => void conversation.socket.destroy());
    return conversation;
  };
  return { ask, seen, pressure, finish: mayFinish.resolve };
}

const answersOf = ({ answer }: Conversation, status: number): number =>
  answer().match(new RegExp(`HTTP/1.1 ${status}`, 'g'))?.length ?? 0;

test('nothing more of a connection is parsed after the first request too many, and it is closed after its answers', async () => {
  const { ask, seen, pressure, finish } = await openWaiting();
  const talk = await ask(GET.repeat(500));
  const closed = once(talk.socket, 'close');
  await eventually(() => expect(seen.begun).toBe(128));
  talk.socket.write(GET.repeat(500));
  finish();
  await closed;
  expect([answersOf(talk, 200), answersOf(talk, 503), seen.parsed]).toEqual([128, 1, 129]);
  expect(pressure.concurrent).toBe(0);
});

test('while 16 requests of a connection wait, nothing more is read, and then the others', async () => {
  const { ask, seen, finish } = await openWaiting();
  const talk = await ask(GET.repeat(20));
  await eventually(() => expect(seen.begun).toBe(20));
  for (let i = 0; i < 5; i++) {
    talk.socket.write(GET.repeat(20));
    await new Promise(setImmediate);
  }
  await ask(GET);
  await eventually(() => expect(seen.begun).toBe(21));
  finish();
  await eventually(() => expect(answersOf(talk, 200)).toBe(120));
});

test('what waits behind others is bounded for an address, and for all, until it is answered', async () => {
  const { ask, seen, pressure, finish } = await openWaiting();
  const from = (address: string) => Promise.all(Array.from({ length: 10 }, () => ask(GET.repeat(100), address)));
  const first = await from('127.0.0.1');
  // As many as are left for others, behind the first of each connection.
  await eventually(() => expect(seen.begun).toBe(10 + 256));
  const second = await from('127.0.0.2');
  await eventually(() => expect(seen.begun).toBe(20 + 256 + 128));
  const third = await ask(GET.repeat(16), '127.0.0.3');
  await eventually(() => expect(seen.begun).toBe(20 + 256 + 128 + 16));
  expect(seen.parsed).toBeLessThanOrEqual(seen.begun + 2 * 20);
  finish();
  await eventually(() => expect(answersOf(third, 200)).toBe(16));
  await eventually(() => {
    const answered = [...first, ...second].reduce((sum, talk) => sum + answersOf(talk, 200), 0);
    expect([answered, pressure.concurrent]).toEqual([20 + 256 + 128, 0]);
  });
  const again = await ask(GET.repeat(100));
  await eventually(() => expect(answersOf(again, 200)).toBe(100));
});

test('what waited on a connection that is lost leaves its place', async () => {
  const { ask, seen, pressure, finish } = await openWaiting();
  for (let i = 1; i <= 40; i++) {
    const talk = await ask(GET.repeat(15));
    await eventually(() => expect(seen.begun).toBe(15 * i));
    talk.socket.destroy();
    await eventually(() => expect(pressure.concurrent).toBe(0));
  }
  finish();
});

test.each([
  ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n', 417],
])('nothing more of a connection is parsed after a request with %s', async (_, refused, status) => {
  const { ask, seen } = await openWaiting();
  const talk = await ask(refused.repeat(300) + GET);
  await once(talk.socket, 'close');
  expect([answersOf(talk, status), seen.begun]).toEqual([1, 0]);
  expect(seen.parsed).toBeLessThanOrEqual(1);
});

test('a connection that has waited for answers is read again', async () => {
  const ask = await open();
  const { socket, answer } = await ask(GET.repeat(100));
  await eventually(() => expect(answer().match(/HTTP\/1.1 200/g)).toHaveLength(100));
  socket.write(GET);
  await eventually(() => expect(answer().match(/HTTP\/1.1 200/g)).toHaveLength(101));
});

test.each([
  ['is taken where the chunks are few', 900, 1, 201],
  ['is taken where they are large enough', 100_000, 64, 201],
  ['is refused where they are many and small', 100_000, 10, 413],
  ['is refused before all of it is there', 2_000, 1, 413],
])('a chunked body %s', async (_, length, size, status) => {
  const ask = await open();
  const text = `{"title":"a"${' '.repeat(length)}}`;
  const { answer } = await ask(`${CHUNKED}${inChunks(text, size)}`);
  await eventually(() => expect(answer()).toMatch(/^HTTP\/1.1 \d/));
  expect(answer().slice(9, 12)).toBe(String(status));
  if (status === 413) expect(answer()).toContain('The body comes in far more chunks than it needs.');
});

test('sockets have the same members in the same order, whatever happens to them: V8 knows them by that', async () => {
  const { app } = await openZoo({ operations });
  onTestFinished(async () => void (await app.close()));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const members: (string | symbol)[][] = [];
  app.server.on('request', ({ socket }) => members.push(Reflect.ownKeys(socket)));
  for (const isAsked of [false, true]) {
    if (isAsked) app.server.on('request', ({ socket }) => void socket.remoteAddress);
    const { socket, answer } = await converse(port, GET);
    for (const answered of [1, 2]) {
      await eventually(() => expect(answer().match(/HTTP\/1\.1 200/g)).toHaveLength(answered));
      if (answered === 1) socket.write(GET);
    }
    socket.destroy();
  }
  expect(members).toHaveLength(4);
  for (const each of members) expect(each).toEqual(members[0]);
});
