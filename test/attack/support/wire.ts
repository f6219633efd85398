import { connect, type Socket } from 'node:net';

/** What a request is answered with; 0 where its connection ends without an answer. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CLOSED: Reply = { status: 0, body: '' };

/** A keep-alive connection from an address of its own. What is sent before an answer has come is pipelined. */
export class Wire {
  readonly #socket: Socket;
  readonly #waiting: ((reply: Reply) => void)[] = [];
  #received: Buffer = Buffer.alloc(0);
  /** What has come since, of an answer whose length is known. */
  readonly #more: Buffer[] = [];
  /** Bytes that the first answer lacks. */
  #lacking = 0;
  #isOpen = true;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  static async open(port: number, localAddress: string): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new Wire(socket);
  }

  static severalOf(count: number, port: number, localAddress: string): Promise<readonly Wire[]> {
    return Promise.all(Array.from({ length: count }, () => Wire.open(port, localAddress)));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Never rejects. */
  send(request: Buffer | string): Promise<Reply> {
    if (!this.#isOpen) return Promise.resolve(CLOSED);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(request);
    });
  }

  /** Pipelines a request so many times, in one piece or in pieces of so many bytes; the statuses. */
  async sendTogether(request: Buffer, times: number, pieceBytes?: number): Promise<readonly number[]> {
    const replies = Array.from({ length: times }, () => new Promise<Reply>((resolve) => this.#waiting.push(resolve)));
    const message = Buffer.concat(Array.from({ length: times }, () => request));
    const bytes = pieceBytes ?? message.length;
    for (let from = 0; from < message.length; from += bytes) {
      if (from > 0) await new Promise(setImmediate);
      if (this.#isOpen) this.#socket.write(message.subarray(from, from + bytes));
      else this.#end();
    }
    return (await Promise.all(replies)).map(({ status }) => status);
  }

  /** Writes bytes that are no whole request. */
  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Takes nothing more of what comes, but for what has been read already. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Of what was sent here, how many bytes were taken. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  close(): void {
    this.#socket.destroy();
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    for (const resolve of this.#waiting.splice(0)) resolve(CLOSED);
  }

  /** Long answers are put together once. */
  #receive(chunk: Buffer): void {
    this.#more.push(chunk);
    this.#lacking -= chunk.length;
    if (this.#lacking > 0) return;
    this.#received = Buffer.concat([this.#received, ...this.#more.splice(0)]);
    let length = this.#lengthOfFirst();
    for (; length > 0 && length <= this.#received.length; length = this.#lengthOfFirst()) this.#settle(length);
    this.#lacking = Math.max(0, length - this.#received.length);
  }

  /** Bytes of the first response, 0 while its head is not complete. Bodies have a `Content-Length`. */
  #lengthOfFirst(): number {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return 0;
    const head = this.#received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0;
    return end + HEAD_END.length + Number(length);
  }

  #settle(length: number): void {
    const text = this.#received.toString('utf8', 0, length);
    this.#received = this.#received.subarray(length);
    const [head] = text.split('\r\n\r\n', 1);
    if (/\r\nconnection: close/i.test(head!)) this.#isOpen = false;
    this.#waiting.shift()?.({ status: Number(text.slice(9, 12)), body: text.slice(head!.length + HEAD_END.length) });
  }
}
