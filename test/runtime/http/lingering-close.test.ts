import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pressure } from '../../../src/runtime/http/pressure.ts';
import { eventually } from '../../support/eventually.ts';
import { openZoo, type Zoo } from '../rest/support/zoo.ts';

const BLOCK = Buffer.alloc(65_536, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
const FIELD = Buffer.from(`X-A: ${'a'.repeat(60_000)}\r\n`);
/**
 * More than buffers on the way can hold: the client is writing when it is answered. Each takes a pause of the server, and all
 * of them must fit into the time for which it lingers, on a busy machine, too.
 */
const BLOCKS = 96;

/** Writes everything before it reads, as many clients do; what was answered. */
async function writeThenRead(port: number, head: string, block: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause().write(head);
  for (let i = 0; i < BLOCKS; i++) if (!socket.write(block)) await once(socket, 'drain');
  let answer = '';
  for await (const text of socket.setEncoding('latin1')) {
    answer += text;
    if (answer.includes('requestId')) break;
  }
  return answer;
}

describe('a client that is still writing', () => {
  let zoo: Zoo;
  let port: number;
  beforeAll(async () => {
    zoo = await openZoo();
    await zoo.app.listen({ port: 0, host: '127.0.0.1' });
    port = (zoo.app.server.address() as AddressInfo).port;
  });
  afterAll(() => zoo.app.close());

  const post = (fields: string) =>
    `POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
  const length = `Content-Length: ${BLOCK.length * BLOCKS}`;

  test.each([
    ['a body with a length', post(length), BLOCK, 413],
    ['a chunked body', post('Transfer-Encoding: chunked'), CHUNK, 413],
    ['a body after an impossible expectation', post(`${length}\r\nExpect: x`), BLOCK, 417],
    ['too many header fields', 'GET /v1/cats HTTP/1.1\r\nHost: x\r\n', FIELD, 431],
    ['something that is not HTTP', 'hello\r\n', BLOCK, 400],
  ])('%s gets its answer', async (_, head, block, status) => {
    expect(await writeThenRead(port, head, block)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('may be one of 256 at a time', async () => {
    const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets)
      socket
        .on('error', () => {})
        .resume()
        .write(`${post(length)}x`);
    const open = (): Promise<number> =>
      new Promise((resolve) => void zoo.app.server.getConnections((_, count) => resolve(count)));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    await eventually(async () => expect(await open()).toBeLessThanOrEqual(256));
    for (const socket of sockets) socket.destroy();
  });

  test('gets its answer from an overloaded server', async () => {
    const busy = await openZoo({ pressure: new Pressure({ maxConcurrent: 0, maxWaitMs: 1_000 }) });
    await busy.app.listen({ port: 0, host: '127.0.0.1' });
    const own = (busy.app.server.address() as AddressInfo).port;
    expect(await writeThenRead(own, post(length), BLOCK)).toMatch(/^HTTP\/1.1 503 /);
    await busy.app.close();
  });
});
