import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';
import { admin, type Caller, customer } from '../../support/storefront.ts';

const asCaller = ({ subject, scope }: Caller) => ({ sub: subject, scope });
const as = asCaller(admin);
const NESTED = `
  fragment Few on Product { reviews(first: 3) { nodes { id } } }
  query ($id: ID!) {
    few: product(id: $id) { ...Few }
    many: product(id: $id) { ...Few reviews(first: 3) { nodes { rating title } totalCount } }
  }`;
const AT_ROOT = `
  query ($more: Boolean!) { products { nodes { id } } ...More @include(if: $more) }
  fragment More on Query { products { nodes { name price } totalCount } }`;

describe.each(databases)('a list that a fragment selects alone and with more, on $name', (database) => {
  let shop: Service;
  let id: string;

  beforeAll(async () => {
    shop = await startService('contracts', database, handlers as unknown as AnyHandlers);
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const body = { sku: 'TOGETHER', name: 'Mug', price: 7, currency: 'EUR', delivery };
    id = (await shop.request('POST', '/v1/products', { as, body })).body.id;
    await shop.request('PATCH', `/v1/products/${id}`, { as, body: { status: 'ACTIVE' } });
    const own = { as: asCaller(customer) };
    await shop.request('POST', '/v1/users', { ...own, body: { email: 'ada@example.com', name: 'Ada' } });
    const review = await shop.request('POST', `/v1/products/${id}/reviews`, {
      ...own,
      body: { rating: 5, title: 'Fine' },
    });
    expect(review.status).toBe(201);
  });
  afterAll(() => shop.close());

  it('has all that is selected in each place of one document', async () => {
    const { data } = await shop.graphql(NESTED, { as, variables: { id } });
    expect(data.many.reviews).toMatchObject({ nodes: [{ rating: 5, title: 'Fine' }], totalCount: 1 });
    expect(data.few.reviews.nodes).toHaveLength(1);
  });

  it('has all that is selected by each request with the document', async () => {
    for (const more of [false, true, false, true, true]) {
      const { data } = await shop.graphql(AT_ROOT, { as, variables: { more } });
      expect(data.products).toMatchObject(
        more ? { nodes: [{ id, name: 'Mug', price: 7 }], totalCount: 1 } : { nodes: [{ id }] },
      );
    }
  });
});
