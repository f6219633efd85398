import { setTimeout as delay } from 'node:timers/promises';
import { LeaseBook } from './lease-book.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** How long a worker may take to say what it has counted: requests wait for that. */
const TIMEOUT_MS = 250;

interface Member {
  post(message: ToWorker): void;
}

type Request = Extract<FromWorker, { readonly kind: 'lease' }>;

/**
 * Gives the workers of an instance parts of callers' limits. With Redis, which has counted until it failed, each worker says
 * first how far it knows that, and counts that caller by leases as well until the window ends.
 */
export class Lender {
  readonly #book = new LeaseBook();
  readonly #hasRedis: boolean;
  /** What each has been asked and not answered. */
  readonly #members = new Map<Member, Map<number, (count: number) => void>>();
  readonly #beginning = new Map<string, Promise<void>>();
  #last = 0;

  constructor(hasRedis: boolean) {
    this.#hasRedis = hasRedis;
  }

  /** When Redis is back, one that joins would count by it whom the others count by leases. */
  join(member: Member): void {
    this.#members.set(member, new Map());
    if (this.#hasRedis)
      for (const key of [...this.#book.keys(), ...this.#beginning.keys()]) member.post({ kind: 'recall', id: 0, key });
  }

  leave(member: Member): void {
    const asked = this.#members.get(member);
    this.#members.delete(member);
    for (const answer of asked?.values() ?? []) answer(0);
  }

  recalled(member: Member, id: number, count: number): void {
    this.#members.get(member)?.get(id)?.(count);
  }

  async lend(member: Member, { id, key, wanted, limit }: Request): Promise<void> {
    if (this.#hasRedis && !this.#book.has(key)) {
      const beginning = this.#beginning.get(key) ?? this.#begin(key);
      this.#beginning.set(key, beginning);
      await beginning;
    }
    member.post({ ...this.#book.take(key, wanted, limit), kind: 'leased', id });
  }

  async #begin(key: string): Promise<void> {
    const counts = await Promise.all([...this.#members].map(([member, asked]) => this.#recall(member, asked, key)));
    this.#book.begin(key, Math.max(0, ...counts));
    this.#beginning.delete(key);
  }

  async #recall(member: Member, asked: Map<number, (count: number) => void>, key: string): Promise<number> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<number>();
    asked.set(id, resolve);
    member.post({ kind: 'recall', id, key });
    const count = await Promise.race([promise, delay(TIMEOUT_MS, 0, { ref: false })]);
    asked.delete(id);
    return count;
  }
}
