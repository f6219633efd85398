import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { fillDatabase, productsIn } from './database.ts';
import type { OpenSockets } from './open-sockets.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';
import { BYTES_A_CHANGE, LONGEST, StallingSubscriber } from './stalled-subscriber.ts';
import { SubscriberProcess } from './subscriber-process.ts';
import { updateProduct } from './update-product.ts';

const SUBSCRIBERS = 10_000;
const FAN_OUTS = 5;
const POLL_MS = 100;
const STALLED_BYTES = 300e6;
const WRITE_EVERY_MS = 40;
/** Subscribers who read, before the one who does not: what passes once has made room for itself. */
const WARM_UPS = 2;
const CLOSED_WITHIN_MS = 30_000;

/** Measures what sockets cost that wait for events, how soon all of them have one, and what one costs that stops reading. */
export async function measureSockets(options: BenchOptions): Promise<void> {
  const file = { kind: 'sqlite', file: join(options.folder, 'sockets.db') } as const;
  await fillDatabase(file, options.rows);
  const [product] = await productsIn(file, options.rows, 1);
  const environment = environmentFor(join(options.folder, 'sockets'), file);
  const nodeFlags = [...options.nodeFlags, '--import', new URL('open-sockets.ts', import.meta.url).href];
  for (const measure of [measureIdle, measureStalled]) {
    const server = await startServer({ name: 'lockstep', entry: 'src/main.ts', environment, nodeFlags });
    try {
      console.log(await measure(server, (change) => updateProduct(server.port, product!.id, change)));
    } finally {
      await server.stop();
    }
  }
}

type Write = (change: object) => Promise<void>;

async function measureIdle(server: ServerProcess, write: Write): Promise<string> {
  const before = await stateOf(server);
  const subscribers = await SubscriberProcess.start({ port: server.port, subscribers: SUBSCRIBERS, documents: 1 });
  try {
    const idle = await stateOf(server);
    const tookMs: number[] = [];
    for (let i = 1; i <= FAN_OUTS; i++) {
      const begunMs = Date.now();
      await write({ stock: i });
      const { complete, lastAtMs } = await subscribers.settled(i, POLL_MS);
      if (complete < SUBSCRIBERS) throw new Error(`${SUBSCRIBERS - complete} subscribers lack an event`);
      tookMs.push(lastAtMs - begunMs);
    }
    const after = await stateOf(server);
    return [
      `${SUBSCRIBERS.toLocaleString('en')} subscribed sockets: ${mb(before)} MB without them, ${mb(idle)} MB with them, ${mb(after)} MB after ${FAN_OUTS} events`,
      `  the event of a write has come to all after ${tookMs.map((ms) => `${Math.round(ms)}`).join(', ')} ms`,
    ].join('\n');
  } finally {
    subscribers.end();
  }
}

async function measureStalled(server: ServerProcess, write: Write): Promise<string> {
  await write({ description: LONGEST });
  for (let i = 0; i < WARM_UPS; i++) {
    const reader = await StallingSubscriber.open(server.port);
    await peakWhile(server, writeEvents(write));
    reader.close();
  }
  const before = await stateOf(server);
  const subscriber = await StallingSubscriber.open(server.port);
  subscriber.stall();
  const begunMs = performance.now();
  const peak = await peakWhile(server, writeEvents(write));
  const closedMs = await closed(server, before.open, begunMs);
  const after = await stateOf(server);
  subscriber.close();
  return [
    `a subscriber that reads nothing of ${STALLED_BYTES / 1e6} MB of events: ${mb(before)} MB before, ${mb(peak)} MB at most, ${mb(after)} MB after`,
    `  ${closedMs === undefined ? 'its socket is still open' : `its socket is closed after ${(closedMs / 1_000).toFixed(1)} s`}`,
  ].join('\n');
}

async function writeEvents(write: Write): Promise<void> {
  for (let bytes = 0, i = 0; bytes < STALLED_BYTES; bytes += BYTES_A_CHANGE, i++) {
    await write({ stock: i });
    await delay(WRITE_EVERY_MS);
  }
}

async function peakWhile(server: ServerProcess, work: Promise<void>): Promise<OpenSockets> {
  let isOver = false;
  const worked = work.finally(() => {
    isOver = true;
  });
  let peak = await stateOf(server);
  while (!isOver) {
    const now = await stateOf(server);
    if (now.rssBytes > peak.rssBytes) peak = now;
    await delay(POLL_MS);
  }
  await worked;
  return peak;
}

/** Milliseconds until no more sockets are open than before; undefined if that does not come. */
async function closed(server: ServerProcess, open: number, begunMs: number): Promise<number | undefined> {
  while (performance.now() - begunMs < CLOSED_WITHIN_MS) {
    if ((await stateOf(server)).open <= open) return performance.now() - begunMs;
    await delay(POLL_MS);
  }
  return undefined;
}

const stateOf = async (server: ServerProcess): Promise<OpenSockets> => (await server.ask('sockets')) as OpenSockets;

const mb = ({ rssBytes }: OpenSockets): string => (rssBytes / 1e6).toFixed(0);
