import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes traces as a collector does; all bytes that came. */
export async function collector() {
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, bytes: () => Buffer.concat(received), close: () => server.close() };
}
