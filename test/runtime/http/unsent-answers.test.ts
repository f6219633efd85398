import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AnsweringResponse, IdentifiedRequest } from '../../../src/runtime/http/messages.ts';
import { pipelinesOf } from '../../../src/runtime/http/pipeline.ts';
import { eventually } from '../../support/eventually.ts';

const MIB = 2 ** 20;
const pipelineOf = pipelinesOf();

/** Answers `/30` with 30 MiB. */
const server = createServer(
  { IncomingMessage: IdentifiedRequest, ServerResponse: AnsweringResponse },
  (request, response) => {
    request.pipeline = pipelineOf(request.socket);
    request.pipeline.add(() => '');
    const body = 'x'.repeat(Number(request.url!.slice(1)) * MIB);
    response.writeHead(200, { 'content-length': body.length }).end(body);
  },
);
let answered = 0;
server.on('request', () => answered++);

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

/** A client that sends requests at once, and reads nothing until it is told to; resolves when all have been answered. */
async function asking(...sizes: readonly number[]): Promise<Socket> {
  const before = answered;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => {});
  onTestFinished(() => void client.destroy());
  client.write(sizes.map((size) => `GET /${size} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await eventually(() => expect(answered).toBe(before + sizes.length));
  return client;
}

const open = async (): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.getConnections((_, count) => resolve(count));
  return promise;
};

test('a client that does not take its answers may leave no more than its share', async () => {
  const first = await asking(48);
  await asking(48);
  await eventually(async () => expect(await open()).toBe(1));
  let [read, isWhole] = [0, false];
  first.on('data', ({ length }) => {
    read += length;
    isWhole = read > 48 * MIB;
  });
  first.resume();
  await eventually(() => expect(isWhole).toBe(true));
  await asking(48);
  await eventually(async () => expect(await open()).toBe(2));
});

test('answers that wait behind others count, too', async () => {
  await eventually(async () => expect(await open()).toBe(0));
  await asking(30, 30);
  expect(await open()).toBe(1);
  await asking(20);
  await eventually(async () => expect(await open()).toBe(1));
});
