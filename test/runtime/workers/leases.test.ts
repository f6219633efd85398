import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/runtime/http/rate-limiter.ts';
import { CounterWithLeases } from '../../../src/runtime/workers/counter-with-leases.ts';
import { type Lease, LeaseBook } from '../../../src/runtime/workers/lease-book.ts';
import { LeasedCounter } from '../../../src/runtime/workers/leased-counter.ts';
import { Lender } from '../../../src/runtime/workers/lender.ts';
import type { ToWorker } from '../../../src/runtime/workers/messages.ts';

/** The counters of workers, and how often they have asked for more. */
function counters(limit: number, workers: number) {
  const book = new LeaseBook();
  const asked: string[] = [];
  const ask = async (key: string, wanted: number) => {
    asked.push(key);
    return book.take(key, wanted, limit);
  };
  return { asked, all: Array.from({ length: workers }, () => new LeasedCounter({ limit, workers, ask })) };
}

describe('a limit that workers share', () => {
  it('is never exceeded, and at most a twentieth of it is left, whoever counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 2, max: 9 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        async (limit, workers, order) => {
          const { all } = counters(limit, workers);
          let admitted = 0;
          for (let i = 0; i < limit * 2; i++) {
            const worker = all[(order[i % order.length] ?? 0) % workers];
            if (((await worker?.add('7:a')) ?? 0) <= limit) admitted++;
          }
          // The last ones all ask one worker, for which as little as possible is left.
          for (let i = 0; i < limit; i++) if (((await all[0]?.add('7:a')) ?? 0) <= limit) admitted++;
          expect(admitted).toBeLessThanOrEqual(limit);
          expect(admitted).toBeGreaterThanOrEqual(limit - Math.floor(limit * 0.05));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is as exact for requests that come at once', async () => {
    const { all, asked } = counters(100, 2);
    const counts = await Promise.all(Array.from({ length: 300 }, (_, i) => all[i % 2]?.add('7:a')));
    const admitted = counts.filter((count) => count !== undefined && count <= 100).length;
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(95);
    expect(asked.length).toBeLessThan(10);
  });

  it('says how many have been counted, is asked for seldom, and for each window and caller anew', async () => {
    const { all, asked } = counters(300, 2);
    const [one] = all;
    for (let i = 1; i <= 15; i++) expect(await one?.add('7:a')).toBe(i);
    expect(asked).toEqual(['7:a']);
    expect(await one?.add('7:b')).toBe(1);
    expect(await one?.add('8:a')).toBe(1);
    expect(asked).toEqual(['7:a', '7:b', '8:a']);
  });

  it('is counted elsewhere while nobody answers', async () => {
    const lost = new LeasedCounter({ limit: 10, workers: 2, ask: async () => undefined });
    expect(await lost.add('7:a')).toBeUndefined();
  });
});

/** A worker of an instance, whose limits Redis counts as long as `reaches` says so. */
class Worker {
  readonly #limiter: RateLimiter;
  readonly #lender: Lender;
  readonly #leases = new Map<number, (lease: Lease) => void>();
  readonly #counter: CounterWithLeases;
  isFrozen = false;

  constructor(lender: Lender, limit: number, workers: number, redis: { count: number }, reaches: () => boolean) {
    this.#lender = lender;
    const ask = (key: string, wanted: number) => {
      const id = this.#leases.size;
      const { promise, resolve } = Promise.withResolvers<Lease>();
      this.#leases.set(id, resolve);
      void lender.lend(this, { kind: 'lease', id, key, wanted, limit });
      return promise;
    };
    const counted = { add: async () => (reaches() ? ++redis.count : undefined) };
    this.#counter = new CounterWithLeases(counted, new LeasedCounter({ limit, workers, ask }));
    this.#limiter = new RateLimiter({ limit, windowMs: 60_000, clock: () => 0, shared: this.#counter });
    lender.join(this);
  }

  post(message: ToWorker): void {
    if (message.kind === 'leased') this.#leases.get(message.id)?.(message);
    if (message.kind === 'recall' && !this.isFrozen)
      this.#lender.recalled(this, message.id, this.#counter.recall(message.key));
  }

  /** Whether a request is admitted. */
  async asked(): Promise<boolean> {
    try {
      await this.#limiter.take({ subject: undefined, address: '192.0.2.1' });
      return true;
    } catch {
      return false;
    }
  }
}

describe('a limit that workers share by Redis', () => {
  it('is neither exceeded nor begun anew when Redis fails within a minute, for all or for one, and is back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        fc.array(fc.record({ after: fc.nat(150), isAway: fc.boolean(), whose: fc.integer({ min: -1, max: 4 }) }), {
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 20 }),
        async (limit, count, order, turns, atOnce) => {
          const [lender, redis] = [new Lender(true), { count: 0 }];
          const away = new Set<number>();
          const workers = Array.from(
            { length: count },
            (_, i) => new Worker(lender, limit, count, redis, () => !away.has(i)),
          );
          const changes = turns.flatMap(({ after, isAway, whose }) =>
            workers.flatMap((_, i) => (whose === -1 || whose === i ? [{ after, isAway, i }] : [])),
          );
          let [admitted, asked] = [0, 0];
          const ask = async (worker: Worker | undefined) => {
            for (const { after, isAway, i } of changes)
              if (after === asked) {
                if (isAway) away.add(i);
                else away.delete(i);
              }
            asked++;
            if (await worker?.asked()) admitted++;
          };
          const next = () => ask(workers[(order[asked % order.length] ?? 0) % count]);
          while (asked < limit * 2) await Promise.all(Array.from({ length: atOnce }, next));
          for (let i = 0; i < limit; i++) await ask(workers[0]);
          expect(admitted).toBeLessThanOrEqual(limit);
          expect(admitted).toBeGreaterThanOrEqual(limit - Math.floor(limit * 0.05));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is not begun anew by a worker that joins after Redis is back', async () => {
    const [lender, redis] = [new Lender(true), { count: 0 }];
    let isAway = true;
    const join = () => new Worker(lender, 20, 2, redis, () => !isAway);
    const [one] = [join(), join()];
    for (let i = 0; i < 12; i++) await one.asked();
    isAway = false;
    const late = join();
    const answers = [];
    for (let i = 0; i < 20; i++) answers.push(await late.asked());
    expect(answers.filter((isAdmitted) => isAdmitted)).toHaveLength(8);
  });

  it('waits neither for a worker that says nothing nor for one that has ended', async () => {
    const [lender, redis] = [new Lender(true), { count: 0 }];
    let isAway = false;
    const [one, frozen, ended] = Array.from({ length: 3 }, () => new Worker(lender, 20, 3, redis, () => !isAway));
    for (let i = 0; i < 10; i++) await one?.asked();
    isAway = true;
    if (frozen) frozen.isFrozen = true;
    if (ended) ended.isFrozen = true;
    const asking = one?.asked();
    if (ended) lender.leave(ended);
    expect(await asking).toBe(true);
    const answers = [];
    for (let i = 0; i < 20; i++) answers.push(await one?.asked());
    expect(answers.filter((isAdmitted) => isAdmitted)).toHaveLength(9);
  });
});

describe('the book of leases', () => {
  it('forgets windows that are over', () => {
    const book = new LeaseBook();
    expect(book.take('1:a', 5, 5)).toEqual({ granted: 5, taken: 5 });
    book.take('2:a', 1, 5);
    expect(book.take('1:a', 1, 5)).toEqual({ granted: 0, taken: 5 });
    book.take('3:a', 1, 5);
    expect(book.take('1:a', 1, 5)).toEqual({ granted: 1, taken: 1 });
  });
});
