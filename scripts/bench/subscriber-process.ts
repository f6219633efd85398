import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fromRoot } from './server-process.ts';
import type { Received, ReceivedOrder, SubscribeOrder } from './subscribers.ts';

/** The end of what is awaited: everything has come, or nothing more does. */
const QUIET_MS = 20_000;

/** Subscribers over WebSockets, in a process of their own. */
export class SubscriberProcess {
  readonly count: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, count: number) {
    this.#process = process;
    this.count = count;
  }

  /** Resolves once all of them have subscribed. */
  static async start(order: SubscribeOrder): Promise<SubscriberProcess> {
    const child = fork(fromRoot('scripts/bench/subscribers.ts'), { stdio: 'inherit' });
    child.send(order);
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
    if (message !== 'subscribed') throw new Error('the subscribers could not subscribe');
    return new SubscriberProcess(child, order.subscribers);
  }

  /** What they have received once each has had so many events, or nothing more comes. Asks every `pollMs`. */
  async settled(expected: number, pollMs: number): Promise<Received> {
    const begunMs = Date.now();
    for (;;) {
      await delay(pollMs);
      this.#process.send({ expected } satisfies ReceivedOrder);
      const [received] = (await once(this.#process, 'message')) as [Received];
      const isQuiet = Date.now() - Math.max(received.lastAtMs, begunMs) > QUIET_MS;
      if (received.complete === this.count || isQuiet) return received;
    }
  }

  end(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}
