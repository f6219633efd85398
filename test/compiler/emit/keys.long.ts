import { describe, expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import type { Client } from '../../../src/readers/sdk/client.ts';
import { resource } from '../../../src/readers/sdk/resource.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const HANDLERS = `import type { Overrides } from '${libraryFrom(0)}';
import type { Resources } from './types/resources.ts';

export const overrides: Overrides<Resources> = {
  products: { get: (id, _context, next) => (id.length === 36 ? next() : next()) },
  'products.reviews': { create: async (input, { params, store }, next) => {
    const [product] = await store.products.list({ sku: params.sku });
    return next({ ...input, text: product?.name ?? '' });
  } },
  'shelves.boxes': { list: (query, { params }, next) => (params.number.toFixed(0) === '1' ? next(query) : next({})) },
};
`;

const CLIENT = `import { type Client, getSupplierByCode, products, shelves, suppliers } from './sdk/index.js';

export async function all(client: Client): Promise<unknown[]> {
  const product = await products.get(client, 'ABC-100');
  await products.update(client, product, { name: 'Tea' });
  // @ts-expect-error the key of a shelf is a number
  await shelves.get(client, '7');
  const review = await products.reviews.create(client, product, { rating: 5 });
  await products.reviews.delete(client, { ...review, sku: product.sku });
  const box = await shelves.boxes.get(client, { number: 7, label: 'nails' });
  const { id } = await getSupplierByCode(client, { path: { code: 'acme' } });
  return [await suppliers.get(client, id), box.shelfId];
}
`;

/** A client that notes the path parameters that are asked for. */
function noting(asked: object[], data: object): Client {
  const request = async (
    _method: string,
    _path: string,
    { params }: { readonly params: { readonly path: object } },
  ) => {
    asked.push(params.path);
    return { data: JSON.stringify(data), response: new Response('{}') };
  };
  return { rest: { request } } as unknown as Client;
}

describe('keys', () => {
  it('have the types of the contract in all generated code', async () => {
    const { files } = await compileContract('test/fixtures/depot', libraryFrom(0));
    const sources = Object.fromEntries([...files!].filter(([path]) => /\.(?:ts|json)$/.test(path)));
    const errors = await typeErrors({ ...sources, 'overrides.ts': HANDLERS, 'client.ts': CLIENT });
    expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('find a resource for the client, below others, too', async () => {
    const asked: object[] = [];
    const client = noting(asked, { id: 'one', version: 1, sku: 'ABC-100' });
    const products = resource({ path: '/products', idParameter: 'sku', key: 'sku' });
    for (const target of ['ABC-100', { id: 'one', sku: 'ABC-100' }]) await products.get(client, target);
    expect(asked.splice(0)).toEqual([{ sku: 'ABC-100' }, { sku: 'ABC-100' }]);
    const reviews = resource({ path: '/products/{sku}/reviews', idParameter: 'reviewId', parents: { sku: 'sku' } });
    await reviews.change(client, { sku: 'ABC-100', id: 'one' }, () => ({ rating: 5 }));
    expect(asked).toEqual([
      { sku: 'ABC-100', reviewId: 'one' },
      { sku: 'ABC-100', reviewId: 'one' },
    ]);
  });
});
