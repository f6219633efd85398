import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/descriptor/config-error.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { settings } from '../../../src/runtime/settings/settings.ts';
import { shareOf, workersFault, workersOf } from '../../../src/runtime/settings/worker-share.ts';

const POSTGRES = 'postgres://localhost/shop';
const config = (more: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: POSTGRES, MAX_SUBSCRIPTION_COST: '10', JOBS_AT_ONCE: '10', ...more });

/** What an instance may have, which its workers divide. All else holds for one request or connection, is a time, or is counted together. */
const DIVIDED = [
  'databaseConnections',
  'maxSubscriptionCost',
  'listCacheMb',
  'maxConcurrentRequests',
  'jobsAtOnce',
  'maxSocketsPerCaller',
];

describe('the share of a worker', () => {
  it('is a part of each amount of the instance, and of no other setting', () => {
    const whole = config({ WORKERS: '2' });
    const share = shareOf(whole, { index: 0, workers: 2 });
    const differing = Object.keys(whole).filter((name) => Reflect.get(share, name) !== Reflect.get(whole, name));
    expect(differing.toSorted()).toEqual(DIVIDED.toSorted());
    expect(Object.entries(settings).flatMap(([name, one]) => ('isDivided' in one ? [name] : []))).toEqual(DIVIDED);
  });

  it.each([1, 2, 3, 7])('is, of %i workers, what is set when it is added up', (workers) => {
    const whole = config({ DATABASE_CONNECTIONS: '100', MAX_SUBSCRIPTION_COST: '7' });
    const shares = Array.from({ length: workers }, (_, index) => shareOf(whole, { index, workers }));
    for (const name of DIVIDED)
      expect(shares.reduce((sum, share) => sum + Reflect.get(share, name), 0)).toBe(Reflect.get(whole, name));
  });

  it('is something of anything, and nothing of nothing', () => {
    const share = shareOf(config({ LIST_CACHE_MB: '0', MAX_SOCKETS_PER_CALLER: '1' }), { index: 3, workers: 4 });
    expect(share).toMatchObject({ listCacheMb: 0, maxSocketsPerCaller: 1 });
  });
});

describe('the workers of an instance', () => {
  it('are one for each core, as far as each has three connections, with `auto`', () => {
    expect([1, 2, 3, 8].map((cores) => workersOf('auto', 10, cores))).toEqual([1, 2, 3, 3]);
    expect(workersOf('auto', 2, 8)).toBe(1);
    expect(workersOf(5, 15, 2)).toBe(5);
  });

  it('need Postgres, and three connections each', () => {
    expect(workersFault(1, 2, false)).toBeUndefined();
    expect(workersFault('auto', 2, true)).toBeUndefined();
    expect(workersFault(3, 9, true)).toBeUndefined();
    expect(workersFault(4, 10, true)).toBe(
      'WORKERS: 4 workers need 12 connections, 3 each; DATABASE_CONNECTIONS is 10.',
    );
    expect(workersFault('auto', 10, false)).toMatch(/^WORKERS: SQLite accepts the writes of one process at a time/);
  });

  it.each([{ WORKERS: '2' }, { WORKERS: '4', DATABASE_URL: POSTGRES }])('are refused at the start: %j', (settings) => {
    expect(() => readConfig(settings)).toThrow(ConfigError);
    expect(() => readConfig(settings)).toThrow(/^WORKERS: /);
  });
});
