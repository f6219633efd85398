import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { startService } from '../../support/service.ts';

const MIB = 2 ** 20;

// No message reaches a database.
test('a caller cannot have more messages under way over WebSockets than are left for others', async () => {
  const service = await startService('library', databases[0]!);
  onTestFinished(() => service.close());
  const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
  const closed: number[] = [];
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    socket.on('close', (code) => closed.push(code));
    await once(socket, 'open');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 130 }, open));
  onTestFinished(() => sockets.forEach((socket) => void socket.terminate()));
  const answered = (text: string): Promise<unknown> =>
    Promise.all(
      sockets.map((socket) => {
        socket.send(text);
        return Promise.race([once(socket, 'message'), once(socket, 'close')]);
      }),
    );
  await answered('{"type":"connection_init"}');
  // What keeps a connection alive is no part of a message.
  for (let i = 0; i < 140; i++) {
    const pongs = sockets.map((socket) => once(socket, 'pong'));
    for (const socket of sockets) socket.ping('x'.repeat(125));
    await Promise.all(pongs);
  }
  await answered('{"type":"ping"}');
  expect(closed).toEqual([]);
  const begin = (socket: WebSocket): void => socket.send(' '.repeat(17_000), { fin: false });
  for (const socket of sockets) begin(socket);
  // Each may become 256 KiB, and half of 64 MiB is left for others.
  await eventually(() => expect(closed).toHaveLength(130 - (64 * MIB) / 2 / (256 * 1024)));

  // Whoever has gone, or has sent the rest, holds nothing.
  const [first, second] = sockets.filter((socket) => socket.readyState === WebSocket.OPEN);
  first!.terminate();
  second!.send('{"type":"ping"}');
  await once(second!, 'message');
  const [third, fourth] = await Promise.all([open(), open()]);
  closed.length = 0;
  begin(third!);
  begin(fourth!);
  const pong = once(fourth!, 'pong');
  fourth!.ping();
  await pong;
  expect(closed.filter((code) => code !== 1006)).toEqual([]);
  expect([third!.readyState, fourth!.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
});
