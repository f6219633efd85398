import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** The end of what is awaited: nothing more comes. */
const LIMIT_MS = 120_000;

/** A socket of graphql-transport-ws, with the code of what each operation was refused with. */
export class AttackSocket {
  readonly answers: string[] = [];
  readonly #socket: WebSocket;
  #connection: Socket | undefined;
  #expected = Number.POSITIVE_INFINITY;
  #done = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      this.answers.push(`closed ${code}`);
      this.#done.resolve();
    });
  }

  static async open(port: number, localAddress: string): Promise<AttackSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { localAddress });
    const one = new AttackSocket(socket);
    socket.once('upgrade', (response) => {
      one.#connection = response.socket;
    });
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const acknowledged = new Promise((resolve) => socket.once('message', resolve));
    socket.send('{"type":"connection_init"}');
    await acknowledged;
    one.answers.length = 0;
    return one;
  }

  send(frame: string): void {
    this.#socket.send(frame);
  }

  /** Sends all of it at once, as if it had piled up on the way. */
  sendTogether(send: () => void): void {
    this.#connection!.cork();
    send();
    this.#connection!.uncork();
  }

  /** One message in many frames of a few bytes. */
  sendFragmented(message: string, bytes: number): void {
    for (let i = 0; i < message.length; i += bytes)
      this.#socket.send(message.slice(i, i + bytes), { fin: i + bytes >= message.length });
  }

  /** Resolves once so many messages have come, or the server has closed it. */
  async answered(count: number): Promise<readonly string[]> {
    this.#expected = count;
    this.#done = Promise.withResolvers<void>();
    if (this.answers.length >= count || this.#socket.readyState !== WebSocket.OPEN) this.#done.resolve();
    const timer = setTimeout(this.#done.resolve, LIMIT_MS);
    await this.#done.promise;
    clearTimeout(timer);
    return this.answers;
  }

  close(): void {
    this.#socket.removeAllListeners('close').terminate();
  }

  #receive(data: Buffer): void {
    const text = data.toString();
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    const type = /"type":"(\w+)"/.exec(text)?.[1];
    // A query that is answered has a message more.
    if (type === 'complete') return;
    this.answers.push(code ?? type ?? text);
    if (this.answers.length >= this.#expected) this.#done.resolve();
  }
}
