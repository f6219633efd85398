import { createServer, type Server } from 'node:http';

/** Metrics in the format of Prometheus. */
export interface MetricsText {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves `/metrics` on a port of its own, which need not be reachable from outside. */
export function serveMetrics(host: string, port: number, read: () => Promise<MetricsText>): Promise<Server> {
  const textOf = async (): Promise<readonly [string, string]> => {
    const found = await read();
    return [found.contentType, await found.metrics()];
  };
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    textOf().then(
      ([contentType, text]) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
