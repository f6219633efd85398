import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boundUnsent } from '../../../src/runtime/http/unsent-answers.ts';
import { eventually } from '../../support/eventually.ts';

const MIB = 2 ** 20;

/** The server's end of a connection, and its client, which reads nothing. */
async function connected(): Promise<{ readonly socket: Socket; readonly client: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  for (const one of [client, socket]) one.on('error', () => {});
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { socket, client };
}

test('a client that does not take its answers may leave no more than its share', async () => {
  const first = await connected();
  first.socket.write(Buffer.alloc(48 * MIB));
  boundUnsent(first.socket);
  expect(first.socket.destroyed).toBe(false);
  const second = await connected();
  second.socket.write(Buffer.alloc(48 * MIB));
  boundUnsent(second.socket);
  expect(second.socket.destroyed).toBe(true);

  first.client.resume();
  await eventually(() => expect(first.socket.writableLength).toBe(0));
  const third = await connected();
  third.socket.write(Buffer.alloc(48 * MIB));
  boundUnsent(third.socket);
  expect(third.socket.destroyed).toBe(false);
});
