import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, Shop } from '../../support/storefront.ts';
import { siteOf } from './support/site-of.ts';

const guideOf = async (name: string, contracts = 'contracts') =>
  String((await siteOf(contracts)).get(`docs/guides/${name}.md`));

describe('a guide', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open(databases[0]!);
    await shop.product({ price: 1999 });
  });
  afterAll(() => shop.close());

  /** What the sample of GraphQL answers. */
  const answered = async (name: string) => {
    const [, document = '', variables = ''] =
      /```graphql GraphQL\n([\s\S]*?)# Variables: ([\s\S]*?)```/.exec(await guideOf(name)) ?? [];
    return (await shop.graphql(document, JSON.parse(variables.replaceAll('\n#', '\n')), admin)).body;
  };

  it('to filters finds something near the examples of the contract, over both protocols', async () => {
    const filters = await guideOf('filters');
    const [, query = ''] = /curl -g '[^']*(\/products\?price[^']*)'/.exec(filters) ?? [];
    expect((await shop.get(query)).body.data).toMatchObject([{ price: 1999 }]);
    expect(await answered('filters')).toMatchObject({ data: { products: { nodes: [{ price: 1999 }] } } });
    expect(filters).toContain('`price`: An amount of money, in the minor unit of its currency.');
  });

  it('to sorting has a document that is answered', async () => {
    expect(await answered('sorting')).toMatchObject({ data: { products: { nodes: [{ price: 1999 }] } } });
  });

  it('to paging has a loop over all pages, and says that bounds differ where they do', async () => {
    const paging = await guideOf('paging');
    expect(paging).toMatch(/curl -sf "[^"]*\?limit=100\$\{CURSOR:\+&cursor=\$CURSOR\}"/);
    expect(paging).not.toContain('each list has its own bounds');
  });
});
