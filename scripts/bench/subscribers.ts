import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** A message that makes the process subscribe. */
export interface SubscribeOrder {
  readonly port: number;
  readonly subscribers: number;
  /** Different documents among them. */
  readonly documents: number;
}

/** What the subscribers have received since they began. */
export interface Received {
  readonly events: number;
  /** Reports of missed events. */
  readonly gaps: number;
  /** Subscribers who have received all of `expected` events, or a report that some are missing. */
  readonly complete: number;
  /** Sockets that are no longer open. */
  readonly closed: number;
  /** When the last of the events came, in milliseconds since the epoch. */
  readonly lastAtMs: number;
}

/** A message that asks for what was received; `expected` is the number of events for each subscriber. */
export interface ReceivedOrder {
  readonly expected: number;
}

/** Sockets that are opened at the same time. */
const AT_ONCE = 50;

/** Subscribes over WebSockets, in a process of its own, and counts what comes. */
process.on('message', (order: SubscribeOrder | ReceivedOrder) => {
  if ('expected' in order) process.send!(received(order.expected));
  else
    subscribeAll(order).then(
      () => process.send!('subscribed'),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
});
process.on('disconnect', () => process.exit());

class Subscriber {
  events = 0;
  gaps = 0;
  isClosed = false;
  lastAtMs = 0;

  async open(port: number, query: string): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const begun = Promise.withResolvers<void>();
    const send = (message: object): void => socket.send(JSON.stringify(message));
    socket.on('open', () => send({ type: 'connection_init' }));
    socket.on('error', begun.reject);
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1');
      if (text.includes('"type":"next"')) this.#count(text);
      else if (text.includes('connection_ack')) {
        send({ type: 'subscribe', id: '1', payload: { query } });
        send({ type: 'ping' });
      } else if (text.includes('"pong"')) begun.resolve();
      else begun.reject(new Error(text));
    });
    await begun.promise;
  }

  #count(text: string): void {
    if (text.includes('EVENTS_MISSED')) this.gaps++;
    else this.events++;
    this.lastAtMs = Date.now();
  }
}

const all: Subscriber[] = [];

async function subscribeAll({ port, subscribers, documents }: SubscribeOrder): Promise<void> {
  for (let from = 0; from < subscribers; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, subscribers - from) }, () => new Subscriber());
    all.push(...some);
    await Promise.all(some.map((one, i) => one.open(port, documentAt((from + i) % documents))));
    await delay(1);
  }
}

const documentAt = (i: number): string =>
  `subscription Changes${i} { productUpdated { id version name price stock status } }`;

function received(expected: number): Received {
  const sum = (of: (one: Subscriber) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    events: sum(({ events }) => events),
    gaps: sum(({ gaps }) => gaps),
    complete: sum(({ events, gaps }) => (events >= expected || gaps > 0 ? 1 : 0)),
    closed: sum(({ isClosed }) => (isClosed ? 1 : 0)),
    lastAtMs: Math.max(...all.map(({ lastAtMs }) => lastAtMs)),
  };
}
