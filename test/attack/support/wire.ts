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

  /** Writes bytes that are no whole request. */
  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    for (const resolve of this.#waiting.splice(0)) resolve(CLOSED);
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (
      let length = this.#lengthOfFirst();
      length > 0 && length <= this.#received.length;
      length = this.#lengthOfFirst()
    )
      this.#settle(length);
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
