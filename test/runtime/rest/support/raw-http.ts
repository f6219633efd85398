import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes bytes to the port as they are and reads until the server closes, or until one whole response has come. */
export function exchangeRaw(port: number, bytes: string | Buffer): Promise<RawResponse | undefined> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = () => {
      socket.destroy();
      resolve(parseResponse(received));
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (isWhole(received)) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

function isWhole(text: string): boolean {
  const response = parseResponse(text);
  const length = response?.headers['content-length'];
  return response !== undefined && length !== undefined && response.body.length >= Number(length);
}

/** The final response; an interim `100 Continue` is passed over. */
function parseResponse(received: string): RawResponse | undefined {
  const text = received.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(start.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/** A connection on which a request was written, and what has been answered so far. */
export interface Conversation {
  readonly socket: Socket;
  readonly answer: () => string;
}

/** Writes a request to the port, and goes on reading. `localAddress`: where it comes from. */
export async function converse(port: number, request: string, localAddress?: string): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  await once(socket, 'connect');
  socket.write(request);
  return { socket, answer: () => received };
}

/** Writes bytes to the port and reads the head of the response; for those without a body, and without an end. */
export function exchangeHead(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (text: string) => {
      received += text;
      if (!received.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(received.slice(0, received.indexOf('\r\n\r\n') + 2));
    });
  });
}
