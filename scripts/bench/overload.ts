import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fillDatabase } from './database.ts';
import { startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';

const PEAK_CONNECTIONS = 32;
const WARM_UP_S = 2;
const REQUEST = 'GET /v1/products?limit=100&sort=-price HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** One kind of load: so many connections, each with a request at a time. */
interface Load {
  readonly connections: number;
  /** Requests a second over all connections; each connection sends as fast as it gets answers, if left out. */
  readonly perSecond?: number;
}

interface Answers {
  /** Answers a second with 200. */
  readonly goodput: number;
  /** Milliseconds until each refusal, and until each good answer. */
  readonly refusalMs: readonly number[];
  readonly answerMs: readonly number[];
  /** Refusals without `Retry-After`, and answers with any other status. */
  readonly wrong: number;
  /** Connections that the server has closed. */
  readonly closed: number;
}

/** Measures what an instance does that gets more than it can do: how much is answered, and how soon the rest is refused. */
export async function measureOverload(options: BenchOptions): Promise<void> {
  const file = { kind: 'sqlite', file: join(options.folder, 'overload.db') } as const;
  await fillDatabase(file, options.rows);
  const environment = environmentFor(join(options.folder, 'overload'), file);
  const server = await startServer({
    name: 'lockstep',
    entry: 'src/main.ts',
    environment,
    nodeFlags: options.nodeFlags,
  });
  try {
    await send(server.port, { connections: PEAK_CONNECTIONS }, WARM_UP_S);
    const { goodput: peak } = await send(server.port, { connections: PEAK_CONNECTIONS }, options.seconds);
    console.log(`peak over ${PEAK_CONNECTIONS} connections: ${Math.round(peak).toLocaleString('en')} a second`);
    const loads: readonly Load[] = [
      { connections: 500, perSecond: Math.round(2 * peak) },
      { connections: 2_000, perSecond: Math.round(2 * peak) },
      { connections: 1_000 },
      { connections: 2_000 },
    ];
    for (const load of loads) console.log(line(load, await send(server.port, load, options.seconds), peak));
  } finally {
    await server.stop();
  }
}

async function send(port: number, load: Load, seconds: number): Promise<Answers> {
  const { connections, perSecond } = load;
  const open = await Promise.all(Array.from({ length: connections }, () => LoadConnection.open(port)));
  const refusalMs: number[] = [];
  const answerMs: number[] = [];
  const tally = { wrong: 0, closed: 0 };
  const start = performance.now();
  const end = start + seconds * 1_000;
  let next = 0;
  await Promise.all(
    open.map(async (first) => {
      let connection = first;
      for (;;) {
        const dueMs = perSecond === undefined ? performance.now() : start + (next++ * 1_000) / perSecond;
        if (dueMs >= end) break;
        if (dueMs > performance.now()) await delay(dueMs - performance.now());
        const sentMs = performance.now();
        const answer = await connection.send(REQUEST).catch(() => undefined);
        const tookMs = performance.now() - sentMs;
        if (answer?.status === 200) answerMs.push(tookMs);
        else if (answer?.status === 503 && /\r\nretry-after: \d/i.test(answer.head)) refusalMs.push(tookMs);
        else if (answer) tally.wrong++;
        if (answer && !/\r\nconnection: close/i.test(answer.head)) continue;
        tally.closed++;
        connection.close();
        connection = await LoadConnection.open(port);
      }
      connection.close();
    }),
  );
  return { goodput: answerMs.length / seconds, refusalMs, answerMs, ...tally };
}

function line({ connections, perSecond }: Load, answers: Answers, peak: number): string {
  const { goodput, refusalMs, answerMs, wrong, closed } = answers;
  const ms = (values: readonly number[], share: number): string => `${Math.round(quantile(values, share))} ms`;
  const asked = perSecond === undefined ? 'as fast as they are answered' : `${perSecond.toLocaleString('en')} a second`;
  return [
    `${connections.toLocaleString('en')} connections, ${asked}`,
    `  answered ${Math.round(goodput).toLocaleString('en')} a second, ${Math.round((goodput / peak) * 100)} % of the peak, p99 ${ms(answerMs, 0.99)}`,
    `  refused ${refusalMs.length.toLocaleString('en')}: p50 ${ms(refusalMs, 0.5)}, p99 ${ms(refusalMs, 0.99)}, longest ${ms(refusalMs, 0.999_999)}; ${wrong} other answers, ${closed} connections closed`,
  ].join('\n');
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
