import { WebSocket } from 'ws';

const DESCRIPTION_LENGTH = 5_000;
const ALIASES = 14;
const OPERATIONS = 30;

/** The longest text that a product's description may be. */
export const LONGEST = 'x'.repeat(DESCRIPTION_LENGTH);
/** What one change of a product sends to such a subscriber, in bytes. */
export const BYTES_A_CHANGE = OPERATIONS * ALIASES * DESCRIPTION_LENGTH;

const FIELDS = Array.from({ length: ALIASES }, (_, i) => `d${i}: description`).join(' ');
const documentAt = (i: number): string => `subscription Long${i} { productUpdated { ${FIELDS} } }`;

/** One socket with many subscriptions to long texts, which can be told to read nothing any more. */
export class StallingSubscriber {
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Resolves once it has subscribed. */
  static async open(port: number): Promise<StallingSubscriber> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const begun = Promise.withResolvers<void>();
    const send = (message: object): void => socket.send(JSON.stringify(message));
    socket.on('open', () => send({ type: 'connection_init' }));
    socket.on('error', begun.reject);
    socket.on('message', (data: Buffer) => {
      const start = data.toString('latin1', 0, 30);
      if (start.includes('connection_ack')) {
        for (let i = 0; i < OPERATIONS; i++) send({ type: 'subscribe', id: `${i}`, payload: { query: documentAt(i) } });
        send({ type: 'ping' });
      } else if (start.includes('"pong"')) begun.resolve();
      else if (start.includes('"error"')) begun.reject(new Error(data.toString()));
    });
    await begun.promise;
    return new StallingSubscriber(socket);
  }

  stall(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.terminate();
  }
}
