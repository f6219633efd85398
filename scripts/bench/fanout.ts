import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fillDatabase, productsIn } from './database.ts';
import type { Material } from './scenario.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken } from './settings.ts';
import { SubscriberProcess } from './subscriber-process.ts';
import type { Received } from './subscribers.ts';
import type { Turns } from './turns.ts';

const WRITES = 300;
const WRITE_EVERY_MS = 1_000 / WRITES;
const WARM_UP = 100;
const READ_EVERY_MS = 5;
const CONNECTIONS = 32;
const CASES = [
  { subscribers: 500, documents: 1 },
  { subscribers: 2_000, documents: 300 },
] as const;
const POLL_MS = 200;

/** Measures what 300 writes in a second do to an instance with many subscribers, and to those who read meanwhile. */
export async function measureFanout(options: BenchOptions): Promise<void> {
  const file = { kind: 'sqlite', file: join(options.folder, 'fanout.db') } as const;
  await fillDatabase(file, options.rows);
  const products = await productsIn(file, options.rows, WRITES);
  const environment = environmentFor(join(options.folder, 'fanout'), file);
  const nodeFlags = [...options.nodeFlags, '--import', new URL('turns.ts', import.meta.url).href];
  for (const measured of CASES) {
    const server = await startServer({ name: 'lockstep', entry: 'src/main.ts', environment, nodeFlags });
    let subscribers: SubscriberProcess | undefined;
    try {
      subscribers = await SubscriberProcess.start({ ...measured, port: server.port });
      const material = { base: '/v1', products, token: makeToken() };
      console.log(line(measured, await measure(server, subscribers, material)));
    } finally {
      subscribers?.end();
      await server.stop();
    }
  }
}

interface Measured {
  readonly received: Received;
  readonly longestTurnMs: number;
  readonly reads: Paced;
  readonly writes: Paced;
  /** From the first write to the last event. */
  readonly tookMs: number;
}

async function measure(server: ServerProcess, subscribers: SubscriberProcess, material: Material): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => LoadConnection.open(server.port)));
  const readers = await Promise.all(Array.from({ length: CONNECTIONS }, () => LoadConnection.open(server.port)));
  // Code that runs for the first time is slow.
  await sendPaced(WARM_UP, READ_EVERY_MS, readers, (i) => read(material, i));
  const warmUp = await sendPaced(WARM_UP, READ_EVERY_MS, connections, (i) => write(material, i));
  const before = await subscribers.settled(WARM_UP - warmUp.refused, POLL_MS);
  await longestTurn(server);
  const begunMs = Date.now();
  const isOver = { now: false };
  const reading = sendPaced(Number.POSITIVE_INFINITY, READ_EVERY_MS, readers, (i) => read(material, i), isOver);
  const writes = await sendPaced(WRITES, WRITE_EVERY_MS, connections, (i) => write(material, i));
  const all = await subscribers.settled(WARM_UP - warmUp.refused + WRITES - writes.refused, POLL_MS);
  const received = { ...all, events: all.events - before.events };
  isOver.now = true;
  const reads = await reading;
  for (const connection of [...connections, ...readers]) connection.close();
  const longestTurnMs = await longestTurn(server);
  return { received, longestTurnMs, reads, writes, tookMs: received.lastAtMs - begunMs };
}

interface Paced {
  /** Milliseconds from a request's time to its answer. */
  readonly tookMs: readonly number[];
  /** Answers with another status than 200. */
  readonly refused: number;
}

/** Sends requests at their times, however long answers take. */
async function sendPaced(
  count: number,
  everyMs: number,
  connections: readonly LoadConnection[],
  request: (i: number) => string,
  isOver = { now: false },
): Promise<Paced> {
  const paced: { refused: number; readonly tookMs: number[] } = { refused: 0, tookMs: [] };
  const start = performance.now();
  let next = 0;
  const keepSending = async (connection: LoadConnection): Promise<void> => {
    while (next < count && !isOver.now) {
      const i = next++;
      const dueMs = start + i * everyMs;
      if (dueMs > performance.now()) await delay(dueMs - performance.now());
      if (isOver.now) return;
      const { status } = await connection.send(request(i));
      if (status === 200) paced.tookMs.push(performance.now() - dueMs);
      else paced.refused++;
    }
  };
  await Promise.all(connections.map(keepSending));
  return paced;
}

const read = ({ base, products }: Material, i: number): string =>
  `GET ${base}/products/${products[i % products.length]!.id} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

function write({ base, products, token }: Material, i: number): string {
  const body = JSON.stringify({ stock: 1_000 + (Date.now() % 90_000) });
  return (
    `PATCH ${base}/products/${products[i]!.id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/merge-patch+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

async function longestTurn(server: ServerProcess): Promise<number> {
  const reply = server.ask('turns');
  return ((await reply) as Turns).longestMs;
}

function line(
  { subscribers, documents }: (typeof CASES)[number],
  { received, longestTurnMs, reads, writes, tookMs }: Measured,
): string {
  const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
  const asked = ({ tookMs: each, refused }: Paced): string => `p99 ${ms(quantile(each, 0.99))}, ${refused} refused`;
  const expected = subscribers * (WRITES - writes.refused);
  return [
    `${subscribers.toLocaleString('en')} subscribers with ${documents} documents, ${WRITES} writes in a second`,
    `  longest turn ${ms(longestTurnMs)}; reads ${asked(reads)}; writes ${asked(writes)}`,
    `  ${received.events.toLocaleString('en')} of ${expected.toLocaleString('en')} events in ${ms(tookMs)}; ${received.gaps} reports of missed events; ` +
      `${subscribers - received.complete} subscribers lack events without one; ${received.closed} sockets closed`,
  ].join('\n');
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
