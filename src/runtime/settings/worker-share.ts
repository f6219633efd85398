import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

/** One for reads, and two for transactions: with fewer, one that waits for a lock would keep all others of its worker waiting. */
const MIN_CONNECTIONS = 3;

/** How many workers there are: `auto` stands for one a core, as far as each has enough connections. */
export function workersOf(wanted: number | 'auto', connections: number, cores: number): number {
  return wanted === 'auto' ? Math.max(1, Math.min(cores, Math.floor(connections / MIN_CONNECTIONS))) : wanted;
}

/** Why an instance cannot have so many workers; undefined if it can. */
export function workersFault(wanted: number | 'auto', connections: number, isPostgres: boolean): string | undefined {
  if (wanted === 1) return undefined;
  if (!isPostgres)
    return 'WORKERS: SQLite accepts the writes of one process at a time; several workers need a Postgres at DATABASE_URL.';
  const needed = wanted === 'auto' ? 0 : wanted * MIN_CONNECTIONS;
  if (connections >= needed) return undefined;
  return `WORKERS: ${wanted} workers need ${needed} connections, ${MIN_CONNECTIONS} each; DATABASE_CONNECTIONS is ${connections}.`;
}

/** Which of the workers of an instance one is. */
export interface WorkerPlace {
  /** From 0. */
  readonly index: number;
  readonly workers: number;
}

/** What one worker has of the settings of its instance: the shares of all of them together are what is set, where each has something. */
export function shareOf<C extends object>(config: C, place: WorkerPlace): C {
  const shares = Object.entries<Setting<unknown>>(settings).flatMap(([name, { isDivided }]) => {
    const amount: unknown = isDivided ? Reflect.get(config, name) : undefined;
    return typeof amount === 'number' ? [[name, part(amount, place)] as const] : [];
  });
  return { ...config, ...Object.fromEntries(shares) };
}

/** The first have one more where it cannot be divided evenly. */
function part(amount: number, { index, workers }: WorkerPlace): number {
  const share = Math.floor(amount / workers) + (index < amount % workers ? 1 : 0);
  return amount === 0 ? 0 : Math.max(1, share);
}
