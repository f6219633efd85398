import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections, and to servers that ask for any: from 32768 on Linux, from 49152 elsewhere (RFC 6335, 6). */
const [FIRST, COUNT] = [10_240, 22_528];

/** A port that no process listens on. The system gives it to none: a server may take it later. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
