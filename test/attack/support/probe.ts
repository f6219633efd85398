import { setTimeout as delay } from 'node:timers/promises';
import { type Latencies, latenciesUntil } from '../../scale/support/latencies.ts';
import { request } from './requests.ts';
import { type Tally, tallyOf } from './tally.ts';
import { Target, type TargetMessage } from './target.ts';
import { Wire } from './wire.ts';

/** What bystanders have seen. */
export interface Seen {
  readonly reads: Latencies;
  readonly statuses: Tally;
  readonly livez: Latencies;
  readonly readyz: Latencies;
}

export interface ProbeMessage extends TargetMessage {
  /** What is read by key. */
  readonly path: string;
  /** Until it is told to end, if left out. */
  readonly forMs?: number;
}

const READ_EVERY_MS = 10;
const HEALTH_EVERY_MS = 25;
/** Below the requests that one address has in a minute. */
const READS_OF_AN_ADDRESS = 250;

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
  const health = async (of: string): Promise<Latencies> => {
    const own = await Wire.open(target.port, '127.0.0.1');
    const seen = await latenciesUntil(isOver, () => own.send(request('GET', of)), HEALTH_EVERY_MS);
    own.close();
    return seen;
  };
  const [reads, livez, readyz] = await Promise.all([
    latenciesUntil(isOver, read, READ_EVERY_MS),
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
