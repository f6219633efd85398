import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endedByTests } from '../../support/clean-up.ts';

/** What a connection is answered, write by write. */
type Answer = (response: ServerResponse) => void;

const CREATED_AT = '2026-01-01T00:00:00Z';

const message = (body: object): string => `event: next\ndata: ${JSON.stringify(body)}\n\n`;
const event = (version: number): string =>
  message({ data: { productUpdated: { id: '1', version, createdAt: CREATED_AT, name: `of version ${version}` } } });
const error = (code: string, status: number): string =>
  message({ data: null, errors: [{ message: code, extensions: { code, status } }] });
const COMPLETE = 'event: complete\ndata:\n\n';

const stream =
  (...texts: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    for (const text of texts) response.write(text);
  };
const broken =
  (...texts: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    // The connection ends behind what was written, before the end of the answer.
    response.write(texts.join(''), () => response.socket!.end());
  };
const busy = (response: ServerResponse): void => {
  response.writeHead(503, { 'Retry-After': '1' }).end();
};
const gone = (response: ServerResponse): void => {
  response.destroy();
};

/** What each path answers to one connection after the other; to those after them, what it answered last. */
const PATHS: Readonly<Record<string, readonly Answer[]>> = {
  // Events 2 to 6 come through, and four times some may have been missed.
  '/losing': [
    broken(':\n\n', event(2), event(1), event(3)),
    busy,
    broken(error('EVENTS_MISSED', 500), event(4)),
    stream(event(5), error('UNAUTHENTICATED', 401), COMPLETE),
    stream(event(6)),
  ],
  '/refusing': [stream(error('FORBIDDEN', 403), COMPLETE)],
  '/expired': [stream(error('UNAUTHENTICATED', 401), COMPLETE)],
  '/expiring': [stream(error('UNAUTHENTICATED', 401), COMPLETE), stream(event(1))],
  '/missing': [stream(event(1), error('EVENTS_MISSED', 500))],
  '/breaking': [broken(event(1))],
  '/complete': [stream(event(1), COMPLETE)],
  '/silent': [stream(), stream(event(1))],
  '/gone': [gone],
};

/** A server of subscriptions on its worse days: `productUpdated` over server-sent events. */
export interface EventsServer {
  readonly url: string;
  /** The `Authorization` of each connection, by path. */
  readonly asked: ReadonlyMap<string, readonly (string | undefined)[]>;
}

export async function startEvents(): Promise<EventsServer> {
  const asked = new Map<string, (string | undefined)[]>();
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url!;
    const connections = asked.get(path) ?? [];
    asked.set(path, connections);
    connections.push(request.headers.authorization);
    const answers = PATHS[path]!;
    request.resume();
    (answers[connections.length - 1] ?? answers.at(-1)!)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endedByTests(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
