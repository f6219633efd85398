import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { PostgresConnection } from '../../../../src/runtime/storage/postgres/postgres-connection.ts';

const PID = 7;

/** A message of the server: its type, its length, its content. */
function message(type: string, ...parts: readonly (string | number)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part);
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const READY = message('Z', 'I');
const HELLO = Buffer.concat([message('R', 0), message('K', PID, 1), READY]);
const OWN_PID = Buffer.concat([
  message('T', '\0\x01pid\0', 0, '\0\0', 23, '\0\x04', -1, '\0\0'),
  message('D', '\0\x01', 1, String(PID)),
  message('C', 'SELECT 1\0'),
  READY,
]);
const SET = Buffer.concat([message('C', 'SET\0'), READY]);
const TERMINATED = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

/** Ends each session right behind the last answer that makes it. */
function serve(socket: Socket): void {
  const answers = [HELLO, OWN_PID, Buffer.concat([SET, TERMINATED])];
  socket.on('data', () => void socket.write(answers.shift() ?? ''));
  socket.on('error', () => {});
}

it('a connection that the server ends as soon as it is made is none', async () => {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 };
  const connection = new PostgresConnection({ url, ...limits, nameOf: () => undefined });
  await expect(connection.open()).rejects.toThrow('not connected to Postgres');
  expect(connection.isUp).toBe(false);
  await connection.close();
  server.close();
});
