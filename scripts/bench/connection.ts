import { connect, type Socket } from 'node:net';

/** The parts of a response that are checked. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/**
 * One keep-alive connection, with one request at a time. It reads just what it must, so that generating the load takes little
 * CPU: the body of a chunked answer, which no server here sends, is kept with its chunk sizes.
 */
export class LoadConnection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes of head and body; negative until the head has arrived. */
  #expected = -1;
  #headLength = 0;
  #isChunked = false;
  #settle: { resolve(response: RawResponse): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  static async open(port: number, host = '127.0.0.1'): Promise<LoadConnection> {
    const socket = connect({ port, host, noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new LoadConnection(socket);
  }

  send(request: string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#expected < 0) this.#readHead();
    if (this.#isChunked) this.#readChunks();
    if (this.#expected < 0 || this.#length < this.#expected) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const settle = this.#settle!;
    const head = bytes.toString('latin1', 0, this.#headLength);
    const body = bytes.toString('utf8', this.#headLength, this.#expected);
    this.#chunks = [];
    this.#length = 0;
    this.#expected = -1;
    this.#isChunked = false;
    settle.resolve({ status: Number(head.slice(9, 12)), head, body });
  }

  #readHead(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return;
    this.#headLength = end + HEAD_END.length;
    const fields = bytes.toString('latin1', 0, end);
    this.#isChunked = /\r\ntransfer-encoding: chunked/i.test(fields);
    const length = /\r\ncontent-length: (\d+)/i.exec(fields)?.[1] ?? 0;
    this.#expected = this.#headLength + Number(length);
  }

  /** The length is known when the last chunk is there; until then, one more byte is expected. */
  #readChunks(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#expected = bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? this.#length : this.#length + 1;
  }
}
