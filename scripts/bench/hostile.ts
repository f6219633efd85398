import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fillDatabase, productsIn } from './database.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';
import type { Turns } from './turns.ts';
import { updateProduct } from './update-product.ts';

const FAULTS = 60;
const FAULT_LENGTH = 10_500;
const AT_ONCE = 8;
const SUBSCRIPTIONS = 300;
const LIVENESS_EVERY_MS = 20;
const SILENCE_MS = 1_000;
const LIMIT_MS = 60_000;

/** Measures what one anonymous caller costs the others: by variables that are wrong in many ways, by dear subscriptions. */
export async function measureHostile(options: BenchOptions): Promise<void> {
  const file = { kind: 'sqlite', file: join(options.folder, 'hostile.db') } as const;
  await fillDatabase(file, options.rows);
  const [product] = await productsIn(file, options.rows, 1);
  const environment = environmentFor(join(options.folder, 'hostile'), file);
  const nodeFlags = [...options.nodeFlags, '--import', new URL('turns.ts', import.meta.url).href];
  const measured = [faultyVariables, (server: ServerProcess) => dearSubscriptions(server, product!.id)];
  for (const measure of measured) {
    const server = await startServer({ name: 'lockstep', entry: 'src/main.ts', environment, nodeFlags });
    try {
      console.log(await measure(server));
    } finally {
      await server.stop();
    }
  }
}

/** An input with many properties that its type does not have, each with a long value. */
const FAULTY = JSON.stringify({
  query: 'mutation ($input: ProductInput!) { createProduct(input: $input) { id } }',
  variables: {
    input: Object.fromEntries(Array.from({ length: FAULTS }, (_, i) => [`wrong${i}`, 'x'.repeat(FAULT_LENGTH)])),
  },
});

async function faultyVariables(server: ServerProcess): Promise<string> {
  const [first] = await sendFaulty(server, 1);
  await turns(server);
  const alone = await aside(server, () => sendFaulty(server, 1));
  const several = await aside(server, () => sendFaulty(server, AT_ONCE));
  return [
    `a request of ${FAULTY.length.toLocaleString('en')} bytes with ${FAULTS} faults in its variables: ${first!.bytes.toLocaleString('en')} bytes of answer (status ${first!.status})`,
    `  one: ${line(alone)}`,
    `  ${AT_ONCE} at once: ${line(several)}`,
  ].join('\n');
}

interface Aside {
  readonly tookMs: number;
  readonly longestTurnMs: number;
  readonly livenessMs: number;
}

const line = ({ tookMs, longestTurnMs, livenessMs }: Aside): string =>
  `${Math.round(tookMs)} ms; longest turn ${Math.round(longestTurnMs)} ms, /livez ${Math.round(livenessMs)} ms at most`;

/** Asks `/livez` all the time while something else is done. */
async function aside(server: ServerProcess, work: () => Promise<unknown>): Promise<Aside> {
  const connection = await LoadConnection.open(server.port);
  const begunMs = performance.now();
  let tookMs = Number.NaN;
  const done = work().then(() => {
    tookMs = performance.now() - begunMs;
  });
  let livenessMs = 0;
  while (Number.isNaN(tookMs)) {
    const sentMs = performance.now();
    await connection.send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    livenessMs = Math.max(livenessMs, performance.now() - sentMs);
    await Promise.race([done, delay(LIVENESS_EVERY_MS)]);
  }
  connection.close();
  return { tookMs, longestTurnMs: await turns(server), livenessMs };
}

function sendFaulty(server: ServerProcess, count: number): Promise<{ status: number; bytes: number }[]> {
  const request =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${Buffer.byteLength(FAULTY)}\r\n\r\n${FAULTY}`;
  const send = async () => {
    const connection = await LoadConnection.open(server.port);
    const { status, body } = await connection.send(request);
    connection.close();
    return { status, bytes: Buffer.byteLength(body) };
  };
  return Promise.all(Array.from({ length: count }, send));
}

const reviews = (first: number, fields: string): string => `reviews(first: ${first}) { nodes { ${fields} } }`;
/** Each costs nearly what one document may: a product, its reviews, and the product of each with reviews again. */
const dearDocument = (i: number): string =>
  `subscription Dear${i} { productUpdated { id stock ${reviews(100, `id product { ${reviews(6, 'id')} }`)} } }`;

async function dearSubscriptions(server: ServerProcess, id: string): Promise<string> {
  const opened = await Promise.all(Array.from({ length: SUBSCRIPTIONS }, (_, i) => Dear.open(server.port, i)));
  // Refusals may come later than what was asked for after them.
  await delay(SILENCE_MS);
  const taken = opened.filter(({ isRefused }) => !isRefused);
  await updateProduct(server.port, id, { stock: 1 });
  await quiet(taken);
  await turns(server);
  const writeMs = performance.now();
  const { tookMs, longestTurnMs, livenessMs } = await aside(server, async () => {
    await updateProduct(server.port, id, { stock: 2 });
    await quiet(taken);
  });
  const lastMs = Math.max(writeMs, ...taken.map((one) => one.lastMs));
  for (const one of opened) one.close();
  if (tookMs > LIMIT_MS) throw new Error('the events do not end');
  return [
    `${SUBSCRIPTIONS} sockets of one caller, each with a dear subscription: ${taken.length} taken, ${SUBSCRIPTIONS - taken.length} refused`,
    `  a write: all events after ${Math.round(lastMs - writeMs)} ms; longest turn ${Math.round(longestTurnMs)} ms, /livez ${Math.round(livenessMs)} ms at most`,
  ].join('\n');
}

/** A socket with one subscription. */
class Dear {
  isRefused = false;
  lastMs = 0;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Resolves once the server has taken or refused the subscription. */
  static async open(port: number, i: number): Promise<Dear> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const one = new Dear(socket);
    const begun = Promise.withResolvers<void>();
    const send = (message: object): void => socket.send(JSON.stringify(message));
    socket.on('open', () => send({ type: 'connection_init' }));
    socket.on('error', begun.reject);
    socket.on('message', (data: Buffer) => {
      const start = data.toString('latin1', 0, 40);
      if (start.includes('connection_ack')) {
        send({ type: 'subscribe', id: '1', payload: { query: dearDocument(i) } });
        send({ type: 'ping' });
      } else if (start.includes('"pong"')) begun.resolve();
      else if (start.includes('"next"')) one.lastMs = performance.now();
      else one.isRefused = true;
    });
    await begun.promise;
    return one;
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** Resolves once nothing has come to any of them for a while. */
async function quiet(subscribers: readonly Dear[]): Promise<void> {
  const begunMs = performance.now();
  for (let lastMs = begunMs; performance.now() - lastMs < SILENCE_MS; await delay(LIVENESS_EVERY_MS)) {
    lastMs = Math.max(lastMs, ...subscribers.map((one) => one.lastMs));
    if (performance.now() - begunMs > LIMIT_MS) return;
  }
}

async function turns(server: ServerProcess): Promise<number> {
  return ((await server.ask('turns')) as Turns).longestMs;
}
