import { setTimeout as delay } from 'node:timers/promises';
import type { ProbeMessage, Seen } from '../support/messages.ts';
import { request } from '../support/requests.ts';
import { tallyOf } from '../support/tally.ts';
import { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';

const READ_PAUSE_MS = 10;
const HEALTH_PAUSE_MS = 25;
/** Below the requests that one address has in a minute. */
const READS_OF_AN_ADDRESS = 250;

/** The longest that one of the requests takes which are sent one after the other, with pauses. */
async function longestUntil(isOver: () => boolean, send: () => Promise<unknown>, pauseMs: number): Promise<number> {
  let longestMs = 0;
  while (!isOver()) {
    const sentMs = performance.now();
    await send();
    longestMs = Math.max(longestMs, performance.now() - sentMs);
    await delay(pauseMs);
  }
  return longestMs;
}

/** Reads one row by key, and the health of the server, until `isOver`. */
async function watch(target: Target, path: string, isOver: () => boolean): Promise<Seen> {
  const statuses: number[] = [];
  let wire: Wire | undefined;
  const read = async (): Promise<void> => {
    if (!wire?.isOpen || statuses.length % READS_OF_AN_ADDRESS === 0) {
      wire?.close();
      wire = await Wire.open(target.port, target.address());
    }
    statuses.push((await wire.send(request('GET', path))).status);
  };
  const health = async (of: string): Promise<number> => {
    const own = await Wire.open(target.port, '127.0.0.1');
    const seen = await longestUntil(isOver, () => own.send(request('GET', of)), HEALTH_PAUSE_MS);
    own.close();
    return seen;
  };
  const [reads, livez, readyz] = await Promise.all([
    longestUntil(isOver, read, READ_PAUSE_MS),
    health('/livez'),
    health('/readyz'),
  ]);
  wire!.close();
  return { reads, statuses: tallyOf(statuses), livez, readyz };
}

// A process of its own: what the attackers do does not hold it up.
let isTold = false;
process.on('message', async (message: ProbeMessage | { readonly end: true }) => {
  if ('end' in message) {
    isTold = true;
    return;
  }
  const { path, forMs } = message;
  isTold = false;
  if (forMs !== undefined) void delay(forMs).then(() => (isTold = true));
  process.send!(await watch(new Target(message), path, () => isTold));
});
process.on('disconnect', () => process.exit());
