import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredValue } from '../../src/runtime/storage/store.ts';
import { databases } from '../support/databases.ts';
import { contractOf } from '../support/service.ts';
import { type Json, Shop } from '../support/storefront.ts';

const STRAYS: Readonly<Record<string, { readonly stored: StoredValue; readonly shown: unknown }>> = {
  status: { stored: 'SOLD "OUT"', shown: 'SOLD "OUT"' },
  name: { stored: '', shown: '' },
  price: { stored: -5, shown: -5 },
  currency: { stored: 'euro', shown: 'euro' },
  imageUrl: { stored: 'not a "url"', shown: 'not a "url"' },
};
const NAMES = Object.keys(STRAYS);
const SHOWN = Object.fromEntries(NAMES.map((name) => [name, STRAYS[name]!.shown]));

/** How a test reads the product over either protocol, and in a list. */
const protocols = [
  {
    protocol: 'REST',
    get: async (shop: Shop, id: string): Promise<Json> => (await shop.get(`/products/${id}`)).body,
    list: async (shop: Shop): Promise<Json[]> => (await shop.get('/products')).body.data,
  },
  {
    protocol: 'GraphQL',
    get: async (shop: Shop, id: string): Promise<Json> =>
      (await shop.graphql(`{ product(id: "${id}") { ${NAMES.join(' ')} } }`)).data?.product,
    list: async (shop: Shop): Promise<Json[]> =>
      (await shop.graphql(`{ products { nodes { ${NAMES.join(' ')} } } }`)).data?.products.nodes,
  },
] as const;

describe.each(databases)('a row that another program has written past the contract, on $name', (database) => {
  const logged: Json[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let shop: Shop;
  let strict: Shop;
  let id: string;
  let strictId: string;

  beforeAll(async () => {
    shop = await Shop.open(database, { checkResponses: false, http: { log } as never });
    strict = await Shop.open(database);
    id = await stray(shop);
    strictId = await stray(strict);
  });
  afterAll(async () => {
    await shop.close();
    await strict.close();
  });

  async function stray(of: Shop): Promise<string> {
    const product = await of.product();
    const { resources } = await contractOf('contracts');
    const names = resources.find(({ key }) => key === 'products')!.properties.map(({ name }) => name);
    const row = (await of.store.get('products', product.id))!;
    const written = row.map((value, i) => STRAYS[names[i]!]?.stored ?? value);
    await of.store.transaction((transaction) => transaction.update('products', written, NAMES));
    return product.id;
  }

  describe.each(protocols)('over $protocol', ({ protocol, get, list }) => {
    it('is answered as it is in production, and logged once a minute', async () => {
      logged.length = 0;
      for (let i = 0; i < 3; i++) expect(await get(shop, id)).toMatchObject(SHOWN);
      expect(await list(shop)).toMatchObject([SHOWN]);
      const place = protocol === 'REST' ? 'products.status' : 'ProductStatus';
      expect(logged).toMatchObject([{ msg: 'a stored value is not in the contract', place, value: 'SOLD "OUT"' }]);
    });

    it('is an error that says so in development, where answers are held against the contract', async () => {
      const answer = await get(strict, strictId);
      if (protocol === 'REST') expect(answer).toMatchObject({ code: 'INTERNAL_ERROR' });
      else expect(answer ?? null).toBeNull();
    });
  });
});
