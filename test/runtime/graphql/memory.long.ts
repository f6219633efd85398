import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { Shop } from '../../support/storefront.ts';

const FIELDS = 'id version createdAt updatedAt sku name price currency stock tags status unitsSold taxRate imageUrl';
const DOCUMENTS = 500;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const times = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join(' ');

describe('GraphQL documents', () => {
  let shop: Shop;
  beforeAll(async () => {
    // What documents take is the same on every database.
    shop = await Shop.open(databases[0]!);
  });
  afterAll(() => shop.close());

  it.each<[string, (i: number) => string]>([
    [
      'large in fields',
      (i) => `{ ${times(15, (j) => `a${i}x${j}: product(id: "${i}") { ${FIELDS} ${FIELDS} ${FIELDS} }`)} }`,
    ],
    ['that are compiled', (i) => `{ ${times(4, (j) => `a${i}x${j}: product(id: "${i}") { ${FIELDS} }`)} }`],
    ['large in characters', (i) => `{ __typename } #${i} ${'x'.repeat(16_000)}`],
  ])('take no more than a bounded memory, however many come: %s', async (_, documentOf) => {
    const used = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    for (let i = 0; i < DOCUMENTS; i++) for (let run = 0; run < 3; run++) await shop.graphql(documentOf(i));
    expect((used() - before) / 1_048_576).toBeLessThan(64);
  });
});
