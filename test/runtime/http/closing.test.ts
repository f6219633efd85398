import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openZoo, operations } from '../rest/support/zoo.ts';

test('a closing server finishes running requests, and answers new ones with a problem', async () => {
  const started = Promise.withResolvers<void>();
  const mayFinish = Promise.withResolvers<void>();
  const getPoint = async () => {
    started.resolve();
    await mayFinish.promise;
    return { status: 200, body: 'finished' };
  };
  const { app } = await openZoo({ operations: { ...operations, getPoint } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  let received = '';
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write('GET /v1/points/1,2 HTTP/1.1\r\nHost: x\r\n\r\n');
  await started.promise;
  const closing = app.close();
  while (app.server.listening) await new Promise((resolve) => setImmediate(resolve));
  socket.write('GET /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n');
  mayFinish.resolve();
  await Promise.all([closed, closing]);

  const [first, second] = received.split(/(?=HTTP\/1\.1 )/);
  expect(first).toContain('HTTP/1.1 200 OK');
  expect(first).toContain('"finished"');
  expect(second).toContain('HTTP/1.1 503 Service Unavailable');
  expect(second?.toLowerCase()).toContain('retry-after: 1');
  expect(second).toContain('"code":"SERVICE_UNAVAILABLE"');
});
