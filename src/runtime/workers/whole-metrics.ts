import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Measured } from '../telemetry/metrics.ts';
import { serveMetrics } from '../telemetry/metrics-server.ts';
import type { ToWorker } from './messages.ts';

/** How long a worker may take to say what it has measured; then what it last said is taken. */
const TIMEOUT_MS = 1_000;

interface Member {
  post(message: ToWorker): void;
}

interface Part {
  last: Measured;
  /** Its answers that are waited for. */
  readonly asked: Map<number, () => void>;
}

/**
 * The metrics of an instance: those of its workers and of the primary, together. What workers that have ended have counted is
 * kept, as far as it is known, so that no total falls.
 */
export class WholeMetrics {
  readonly #own = new Registry();
  readonly #members = new Map<Member, Part>();
  #past: Promise<Measured> = Promise.resolve([]);
  #last = 0;
  #server: Server | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.#own });
  }

  join(member: Member): void {
    this.#members.set(member, { last: [], asked: new Map() });
  }

  measured(member: Member, id: number | undefined, measured: Measured): void {
    const part = this.#members.get(member);
    if (!part) return;
    part.last = measured;
    if (id === undefined) return;
    part.asked.get(id)?.();
    part.asked.delete(id);
  }

  leave(member: Member): void {
    const part = this.#members.get(member);
    this.#members.delete(member);
    if (!part) return;
    for (const resolve of part.asked.values()) resolve();
    const counted = part.last.filter(({ type }) => String(type) !== 'gauge');
    this.#past = this.#past.then((past) => together([past, counted]).getMetricsAsJSON());
  }

  /** Serves them on a port of their own. */
  async listen(host: string, port: number): Promise<void> {
    this.#server = await serveMetrics(host, port, () => this.#read());
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** All of them, as they are now. */
  async #read(): Promise<Registry> {
    const id = ++this.#last;
    await Promise.all([...this.#members].map(([member, part]) => ask(member, part, id)));
    // The first says how each is added up.
    const own = (await this.#own.getMetricsAsJSON()).map((one) =>
      one.name === 'process_start_time_seconds' ? { ...one, aggregator: 'first' as const } : one,
    );
    return together([own, await this.#past, ...[...this.#members.values()].map(({ last }) => last)]);
  }
}

async function ask(member: Member, { asked }: Part, id: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  asked.set(id, resolve);
  member.post({ kind: 'measure', id });
  await Promise.race([promise, delay(TIMEOUT_MS, undefined, { ref: false })]);
  asked.delete(id);
}

const together = (all: readonly Measured[]): Registry => AggregatorRegistry.aggregate([...all]);
