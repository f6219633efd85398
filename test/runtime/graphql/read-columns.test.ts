import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Columns, Reader, Store } from '../../../src/runtime/storage/store.ts';
import { databases } from '../../support/databases.ts';
import { replaceReads } from '../../support/reads.ts';
import { admin, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

interface Read {
  readonly what: string;
  readonly columns: readonly string[] | 'all';
}

/** Notes what is read of a store, of which no page is kept; each read is one statement. */
function watch(store: Store): Read[] {
  const reads: Read[] = [];
  store.changesElsewhere = () => undefined;
  const note = (what: string, columns?: Columns): void => {
    reads.push({ what, columns: columns ? [...columns.names].sort() : 'all' });
  };
  replaceReads(store, (reader): Partial<Reader> => {
    const { get, getEach, list, listEach } = reader;
    return {
      get(...args) {
        note(`get ${args[0]}`, args[4]);
        return get.apply(reader, args);
      },
      getEach(...args) {
        note(`getEach ${args[0]}`, args[3]);
        return getEach.apply(reader, args);
      },
      list(query) {
        note(`list ${query.resource}`, query.columns);
        return list.call(reader, query);
      },
      listEach(query) {
        note(`listEach ${query.resource}`, query.columns);
        return listEach.call(reader, query);
      },
    };
  });
  return reads;
}

describe.each(databases)('what GraphQL reads of rows on $name', (database) => {
  let shop: Shop;
  let reads: Read[];
  let id = '';

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
    ({ id } = await shop.product({ name: 'Mug' }));
    await shop.review(id, customer, { rating: 4 });
    await shop.review(id, stranger, { rating: 5 });
    reads = watch(shop.store);
  });
  afterAll(() => shop.close());

  async function read(query: string): Promise<Json> {
    reads.length = 0;
    const { data, errors } = await shop.graphql(query, { id }, admin);
    expect(errors).toBeUndefined();
    return data;
  }

  it('is the columns that are selected of one', async () => {
    expect(await read('query ($id: ID!) { product(id: $id) { label: name } }')).toEqual({ product: { label: 'Mug' } });
    expect(reads).toEqual([{ what: 'get products', columns: ['id', 'name', 'version'] }]);
    await read('query ($id: ID!) { product(id: $id) { sku ratingSummary { count } } }');
    // Of the parent, an operation has its path parameters alone.
    expect(reads[0]).toEqual({ what: 'get products', columns: ['id', 'sku', 'version'] });
  });

  it('is the columns that are selected of what rows refer to', async () => {
    const { product } = await read(
      'query ($id: ID!) { product(id: $id) { reviews { nodes { product { sku } user { name } } } } }',
    );
    expect(product.reviews.nodes[0].user.name).toBeTypeOf('string');
    expect(reads.slice(2)).toEqual([
      { what: 'getEach products', columns: ['id', 'sku', 'version'] },
      { what: 'getEach users', columns: ['favouriteProductId', 'id', 'name', 'version'] },
    ]);
  });

  it('is whole rows by one statement where a fragment asks for more in one place than in another', async () => {
    const { product } = await read(`
      query ($id: ID!) {
        product(id: $id) { reviews { nodes { ...Who } edges { node { ...Who user { name email } } } } }
      }
      fragment Who on Review { user { id } }`);
    expect(reads.slice(2)).toEqual([{ what: 'getEach users', columns: 'all' }]);
    const { nodes, edges } = product.reviews;
    expect(edges.map(({ node }: Json) => node.user.id)).toEqual(nodes.map(({ user }: Json) => user.id));
    for (const { node } of edges) expect(node.user.email).toContain('@');
  });
});
