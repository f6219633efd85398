import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { graphqlRequest } from '../harness/graphql-requests.ts';
import type { ProtocolServer } from '../harness/servers.ts';

/** What a subscription received: an event as JSON text, or the errors that refused the subscription. */
export interface Received {
  readonly subscription: string;
  readonly payload: string;
}

/** Subscriptions on one server over server-sent events. */
export class EventTap {
  readonly received: Received[] = [];
  readonly #server: ProtocolServer;

  constructor(server: ProtocolServer) {
    this.#server = server;
  }

  /** The protocol of the server. */
  get name(): string {
    return this.#server.name;
  }

  /** Subscribes under a name. Resolves when the server has accepted or refused the subscription. */
  async open(subscription: string, document: string, variables: object, authorization?: string): Promise<void> {
    const request = graphqlRequest(document, variables, authorization);
    const { method, url, headers, body } = request;
    const reply = await this.#server.app.inject({
      method,
      url,
      headers: { ...headers, accept: 'text/event-stream' },
      payload: body!,
      payloadAsStream: true,
    });
    this.#read(subscription, reply.stream());
  }

  #read(subscription: string, stream: Readable): void {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const [last, ...whole] = (text + chunk).split('\n\n').reverse();
      text = last!;
      for (const event of whole.reverse()) this.#take(subscription, event);
    });
  }

  #take(subscription: string, event: string): void {
    const data = event.split('\n').find((line) => line.startsWith('data: '));
    if (data === undefined) return;
    const received = { subscription, payload: withoutRequestId(data.slice('data: '.length)) };
    const { defect } = this.#server;
    if (!defect?.event) this.received.push(received);
    else void this.#late(received, defect.event());
  }

  async #late(received: Received, delayMs: number | undefined): Promise<void> {
    if (delayMs === undefined) return;
    await after(delayMs, undefined, { ref: false });
    this.received.push(received);
  }

  /** Removes and returns what has arrived, sorted, because the streams are independent of each other. */
  drain(): string[] {
    return this.received
      .splice(0)
      .map(({ subscription, payload }) => `${subscription} ${payload}`)
      .sort();
  }
}

const withoutRequestId = (payload: string): string => payload.replaceAll(/,"requestId":"[^"]*"/g, '');
