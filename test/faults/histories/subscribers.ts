import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Instance } from '../../support/instance.ts';
import type { Json } from '../../support/storefront.ts';
import { customerToken } from '../support/shop.ts';
import { type EventField, FIELDS, type History, MISSED, type Stream } from './history.ts';

const SELECTIONS: Readonly<Record<EventField, string>> = {
  productUpdated: ' { id version createdAt updatedAt name description price stock }',
  orderCreated: ' { id version createdAt updatedAt note total status }',
  orderUpdated: ' { id version createdAt updatedAt note total status }',
  orderDeleted: '',
};

/** The results of a subscription, until its connection ends or the signal is aborted. */
type Subscribe = (origin: string, query: string, signal: AbortSignal) => AsyncGenerator<Json, void>;

const TRANSPORTS: Readonly<Record<string, Subscribe>> = { WebSocket: overWebSocket, 'server-sent events': overEvents };

/** Stays subscribed to every event of every instance over both transports, anew whenever a connection ends. */
export class Subscribers {
  readonly #end = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(instances: ReadonlyMap<string, Instance>, history: History) {
    const running = [...instances].flatMap(([name, { origin }]) =>
      Object.entries(TRANSPORTS).flatMap(([transport, subscribe]) =>
        FIELDS.map((field) => this.#stay(origin, subscribe, () => open(history, { instance: name, transport, field }))),
      ),
    );
    this.#running = Promise.all(running);
  }

  async end(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #stay(origin: string, subscribe: Subscribe, begin: () => Stream): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const stream = begin();
      const { field, heard } = stream;
      try {
        for await (const { data, errors } of subscribe(
          origin,
          `subscription { ${field}${SELECTIONS[field]} }`,
          signal,
        )) {
          const isMissed = errors?.[0]?.extensions?.code === MISSED;
          if (isMissed || data) heard.push({ atMs: performance.now(), body: isMissed ? MISSED : data[field] });
        }
      } catch {
        await delay(200);
      }
      stream.isOpen = false;
    }
  }
}

function open({ streams }: History, of: Omit<Stream, 'heard' | 'isOpen'>): Stream {
  const stream = { ...of, heard: [], isOpen: true };
  streams.push(stream);
  return stream;
}

async function* overWebSocket(origin: string, query: string, signal: AbortSignal): AsyncGenerator<Json, void> {
  const client = createClient({
    url: `${origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    keepAlive: 1_000,
    connectionParams: { authorization: `Bearer ${customerToken}` },
  });
  const results = client.iterate({ query });
  const end = () => void results.return?.();
  signal.addEventListener('abort', end);
  try {
    yield* results;
  } finally {
    signal.removeEventListener('abort', end);
    // One that was refused cannot be closed.
    await Promise.resolve(client.dispose()).catch(() => {});
  }
}

async function* overEvents(origin: string, query: string, signal: AbortSignal): AsyncGenerator<Json, void> {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${customerToken}`,
    'content-type': 'application/json',
  };
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
    signal,
  });
  if (!response.ok) throw new Error(await response.text());
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const messages = (text + chunk).split('\n\n');
    text = messages.pop()!;
    for (const message of messages) {
      const [, data] = /^event: next\ndata: (.*)$/s.exec(message) ?? [];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}
