import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { Shop } from '../../support/storefront.ts';

const CACHE_BYTES = 8 * 2 ** 20;
/** More than it can hold, of the smallest. */
const ASKED = { 1: 2_700, 20: 450 } as const;

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 5; i++) {
    await turn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('the cache of lists', () => {
  it.each([
    ['one row each', 1, 'A plain text'],
    ['many rows', 20, 'A plain text'],
    ['many rows with other letters', 20, 'Große Tasse ☕'],
  ] as const)('takes as much memory as it is given: %s', async (_what, limit, text) => {
    const shop = await Shop.open(databases[0]!, { listCacheBytes: CACHE_BYTES, checkResponses: false });
    shop.store.changesElsewhere = () => 0;
    for (let i = 0; i < 20; i++) await shop.product({ name: `${text} ${i}`, description: text.repeat(8) });
    const ask = (n: number) => shop.get(`/products?limit=${limit}&createdAt[gte]=${new Date(n * 1_000).toISOString()}`);
    for (let n = 0; n < 50; n++) await ask(n);
    const before = await bytesInUse();
    for (let n = 50; n < ASKED[limit]; n++) await ask(n);
    const share = ((await bytesInUse()) - before) / CACHE_BYTES;
    await shop.close();
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(1.3);
  });
});
