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

test('no more than 128 requests of a connection wait for their answers', async () => {
  const mayFinish = Promise.withResolvers<void>();
  let begun = 0;
  const getPoint = async () => {
    begun++;
    await mayFinish.promise;
    return { status: 200, body: 'finished' };
  };
  const pressure = new Pressure({ maxConcurrent: 1_000, maxWaitMs: 10_000 });
  const ask = await open({ operations: { ...operations, getPoint }, pressure });
  const { answer } = await ask(GET.repeat(300));
  await eventually(() => expect(begun).toBe(128));
  mayFinish.resolve();
  await eventually(() => expect(answer()).toContain('HTTP/1.1 503'));
  expect(answer().match(/HTTP\/1.1 200/g)).toHaveLength(128);
  expect(begun).toBe(128);
  await eventually(() => expect(pressure.concurrent).toBe(0));
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
