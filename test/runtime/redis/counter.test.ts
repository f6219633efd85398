import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Counter, RateLimiter } from '../../../src/runtime/http/rate-limiter.ts';
import { RedisCounter } from '../../../src/runtime/redis/redis-counter.ts';
import { eventually } from '../../support/eventually.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';

const LIMIT = 100;
const silent = { info() {}, warn() {} };

describe.skipIf(!hasRedis)('requests that servers count together', () => {
  let proxy: TcpProxy;
  let counters: RedisCounter[];

  beforeEach(async () => {
    proxy = await tcpProxy(REDIS_URL);
    const prefix = makePrefix();
    counters = Array.from({ length: 3 }, () => new RedisCounter({ url: proxy.url, prefix, log: silent }));
    await eventually(async () => {
      for (const counter of counters) expect(await counter.add('ready', 1_000)).toBeDefined();
    });
  });
  afterEach(async () => {
    for (const counter of counters) counter.close();
    await proxy.close();
  });

  const limiterOf = (shared: Counter) => new RateLimiter({ limit: LIMIT, windowMs: 60_000, shared, clock: () => 0 });

  /** How many of so many requests to each server pass. */
  async function passing(limiters: readonly RateLimiter[], each: number, subject = 'a'): Promise<number> {
    const take = async (limiter: RateLimiter) => limiter.take({ subject, address: '' });
    const taken = await Promise.allSettled(limiters.flatMap((one) => Array.from({ length: each }, () => take(one))));
    return taken.filter(({ status }) => status === 'fulfilled').length;
  }

  it('are as many as of one server', async () => {
    const limiters = counters.map(limiterOf);
    expect(await passing(limiters, 20)).toBe(60);
    expect(await passing(limiters, 50)).toBe(LIMIT - 60);
    expect(await passing(limiters, 50)).toBe(0);
    expect(await passing(limiters, 50, 'b')).toBe(LIMIT);
  });

  it('are counted by each server when Redis is away, at once, and together again when it is back', async () => {
    const limiters = counters.map(limiterOf);
    expect(await passing(limiters, 10)).toBe(30);
    await proxy.shut();
    await eventually(() =>
      expect(counters.map((one) => one.add('x', 1_000))).toEqual([undefined, undefined, undefined]),
    );
    expect(await passing(limiters, 200, 'b')).toBe(3 * LIMIT);
    await proxy.open();
    await eventually(async () => {
      for (const counter of counters) expect(await counter.add('x', 1_000)).toBeDefined();
    });
    expect(await passing(limiters, 200, 'c')).toBe(LIMIT);
  });

  it('wait no longer than a moment for a Redis that hangs', async () => {
    const limiters = counters.map(limiterOf);
    proxy.freeze();
    const begun = performance.now();
    // A command of Redis is given up after a second: 50 of them would take 50.
    for (let i = 0; i < 50; i++) expect(await passing(limiters, 2)).toBe(6);
    expect(performance.now() - begun).toBeLessThan(40_000);
  });
});
