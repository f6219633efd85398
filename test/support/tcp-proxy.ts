import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endedByTests } from './clean-up.ts';

/** Stands between a client and a server, to be cut, frozen and closed. */
export interface TcpProxy {
  /** The server's URL, user and password included, with the address of the proxy. */
  readonly url: string;
  /** Ends all connections. */
  cut(): void;
  /** Passes nothing on, as if the server hung. */
  freeze(): void;
  /** Passes nothing on of connections that are new. */
  freezeNew(): void;
  thaw(): void;
  /** Takes no connections until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'postgres:': 5432, 'redis:': 6379 };

/** A proxy for the server of a `postgres:` or `redis:` URL. */
export async function tcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || DEFAULT_PORTS[target.protocol]), target.hostname.replace(/^\[|\]$/g, ''));
    pass(near, far);
    pass(far, near);
  });

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    if (isFrozen) from.pause();
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return {
    url: url.href,
    cut,
    freezeNew() {
      isFrozen = true;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    shut,
    open: () => listen(port),
    close: endedByTests(() => (server.listening ? shut() : Promise.resolve())),
  };
}
