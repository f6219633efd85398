import type { Counter } from '../http/rate-limiter.ts';
import type { Measured } from '../telemetry/metrics.ts';
import type { ReportMetrics } from '../telemetry/telemetry.ts';
import { CounterWithLeases } from './counter-with-leases.ts';
import type { Lease } from './lease-book.ts';
import { LeasedCounter } from './leased-counter.ts';
import { Mailbox } from './mailbox.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { WorkerError } from './worker-error.ts';
import { WorkerPeers } from './worker-peers.ts';

/** What connects two processes of an instance. */
export interface Port<Sent, Received> {
  send(batch: readonly Sent[]): void;
  onBatch(receive: (batch: readonly Received[]) => void): void;
  onLost(lost: () => void): void;
}

export interface TeamOptions {
  /** Whether it is the first worker, which logs what is to be logged once by an instance. */
  readonly isFirst: boolean;
  readonly workers: number;
  /** Requests of a caller in one window; 0: any number. */
  readonly requestLimit: number;
  /** Whether other instances can be heard. */
  readonly hasOthers: boolean;
}

/** How a worker is to end. */
export interface Stop {
  /** Others of its instance go on. */
  readonly isReplaced: boolean;
}

/** The other workers of an instance and its primary, as one worker has them. */
export class Team {
  readonly isFirst: boolean;
  readonly peers: WorkerPeers;
  /** Counts requests together with the other workers. */
  readonly counter: LeasedCounter;
  /** Those that ask for an end: the primary decides, which gets them as well if all of the instance is to end. */
  readonly signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'] as const;
  readonly #mailbox: Mailbox<FromWorker>;
  readonly #leases = new Map<number, (lease: Lease | undefined) => void>();
  readonly #mayServe = Promise.withResolvers<void>();
  readonly #mayEnd = Promise.withResolvers<void>();
  #measure: () => Promise<Measured> = async () => [];
  #recall = (key: string): number => {
    this.counter.begin(key);
    return 0;
  };
  #stop: (stop: Stop) => void = () => {};
  #lastLease = 0;
  #isLost = false;

  constructor(port: Port<FromWorker, ToWorker>, { isFirst, workers, requestLimit, hasOthers }: TeamOptions) {
    this.isFirst = isFirst;
    this.#mailbox = new Mailbox((batch) => port.send(batch));
    this.peers = new WorkerPeers({ post: (message, weight) => this.#mailbox.post(message, weight), hasOthers });
    this.counter = new LeasedCounter({
      limit: requestLimit,
      workers,
      ask: (key, wanted) => this.#lease(key, wanted, requestLimit),
    });
    port.onBatch((batch) => {
      for (const message of batch) this.#receive(message);
    });
    this.#mayServe.promise.catch(() => {});
    port.onLost(() => this.#lose());
    this.#mailbox.post({ kind: 'beat' });
  }

  /** Resolves when this worker, which has started, may listen. */
  ready(): Promise<void> {
    this.#mailbox.post({ kind: 'booted' });
    return this.#mayServe.promise;
  }

  serving(url: string): void {
    this.#mailbox.post({ kind: 'serving', url });
  }

  /** The worker has not started, for a reason that is the operator's to read. Resolves when the primary knows. */
  fail(why: string): Promise<void> {
    this.#mailbox.post({ kind: 'failed', why });
    return this.#mayEnd.promise;
  }

  /** Counts by another counter, and together with the other workers while that one cannot count. */
  countingBy(counter: Counter): Counter {
    const counting = new CounterWithLeases(counter, this.counter);
    this.#recall = (key) => counting.recall(key);
    return counting;
  }

  /** This process has got one of the `signals`. */
  signalled(): void {
    this.#mailbox.post({ kind: 'signalled' });
  }

  onStop(stop: (stop: Stop) => void): void {
    this.#stop = stop;
  }

  /** Says how this worker measures itself. */
  readonly reportMetrics: ReportMetrics = (measure) => {
    this.#measure = measure;
  };

  /** Resolves when the others know that this worker has finished all of its work. */
  async close(): Promise<void> {
    if (this.#isLost) return;
    this.#mailbox.post({ kind: 'bye', measured: await this.#measure() });
    await this.#mayEnd.promise;
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'serve':
        this.#mayServe.resolve();
        break;
      case 'stop':
        this.#stop(message);
        break;
      case 'bye':
        this.#mayEnd.resolve();
        break;
      case 'leased':
        this.#leases.get(message.id)?.(message);
        this.#leases.delete(message.id);
        break;
      case 'recall':
        this.#mailbox.post({ kind: 'recalled', id: message.id, count: this.#recall(message.key) });
        break;
      case 'measure':
        void this.#measure().then((measured) => this.#mailbox.post({ kind: 'measured', id: message.id, measured }));
        break;
      default:
        this.peers.receive(message);
    }
  }

  #lease(key: string, wanted: number, limit: number): Promise<Lease | undefined> {
    if (this.#isLost) return Promise.resolve(undefined);
    const id = ++this.#lastLease;
    this.#mailbox.post({ kind: 'lease', id, key, wanted, limit });
    return new Promise((resolve) => this.#leases.set(id, resolve));
  }

  /** Without a primary nobody hears this worker any more. */
  #lose(): void {
    this.#isLost = true;
    this.peers.lose();
    for (const resolve of this.#leases.values()) resolve(undefined);
    this.#leases.clear();
    this.#mayEnd.resolve();
    this.#mayServe.reject(new WorkerError('The primary of the instance is gone.'));
    this.#stop({ isReplaced: false });
  }
}
