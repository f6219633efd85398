import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeaseBook } from '../../../src/runtime/workers/lease-book.ts';
import { LeasedCounter, orElse } from '../../../src/runtime/workers/leased-counter.ts';

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
    const counted = { add: () => 4 };
    expect(await orElse({ add: () => undefined }, counted).add('7:a', 1)).toBe(4);
    expect(await orElse({ add: async () => undefined }, counted).add('7:a', 1)).toBe(4);
    expect(await orElse({ add: async () => 3 }, counted).add('7:a', 1)).toBe(3);
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
