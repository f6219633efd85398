import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { graphqlRequest } from './graphql-words.ts';
import type { Twin } from './twins.ts';

/** What one subscription told: each event as JSON text, or the errors by which it was refused. */
export interface Told {
  readonly subscription: string;
  readonly payload: string;
}

/** Subscriptions on one server over server-sent events. */
export class EventTap {
  readonly told: Told[] = [];
  readonly #twin: Twin;
  readonly #delay: (() => number | undefined) | undefined;

  /** `delay`: time that events are held back, for proofs that are to fail. */
  constructor(twin: Twin, delay?: () => number | undefined) {
    this.#twin = twin;
    this.#delay = delay;
  }

  /** Subscribes under a name. Resolves when the server listens, or has refused. */
  async open(subscription: string, document: string, variables: object, authorization?: string): Promise<void> {
    const request = graphqlRequest(document, variables, authorization);
    const { method, url, headers, body } = request;
    const reply = await this.#twin.app.inject({
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
    const told = { subscription, payload: withoutRequestId(data.slice('data: '.length)) };
    if (!this.#delay) this.told.push(told);
    else void this.#late(told, this.#delay());
  }

  async #late(told: Told, delayMs: number | undefined): Promise<void> {
    if (delayMs === undefined) return;
    await after(delayMs, undefined, { ref: false });
    this.told.push(told);
  }

  /** Takes what has arrived, in an order of its own: streams are independent of each other. */
  drain(): string[] {
    return this.told
      .splice(0)
      .map(({ subscription, payload }) => `${subscription} ${payload}`)
      .sort();
  }
}

const withoutRequestId = (payload: string): string => payload.replaceAll(/,"requestId":"[^"]*"/g, '');
