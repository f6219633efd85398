import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';

let shop: Shop;
let url: URL;
beforeAll(async () => {
  shop = await Shop.open(databases[0]!);
  url = new URL(`http://127.0.0.1:${await shop.listen()}/mcp`);
});
afterAll(() => shop.close());

it.each([
  ['opens with `initialize`', 'MUG-1', {}],
  ['finds out', 'MUG-2', { versionNegotiation: { mode: 'auto' as const } }],
  ['asks for the newest', 'MUG-3', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
])('a client of the official package that %s lists tools and calls them', async (_, sku, options) => {
  const client = new Client({ name: 'a test', version: '1.0.0' }, options);
  const authorization = `Bearer ${tokenOf({ sub: admin.subject, scope: admin.scope })}`;
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['listOrders', 'updateProduct']));
  const input = { sku, name: 'Mug', price: 900 };
  const delivery = { kind: 'PHYSICAL', weightGrams: 300 };
  const made = await client.callTool({
    name: 'createProduct',
    arguments: { input: { ...input, currency: 'EUR', delivery } },
  });
  expect(made.isError).toBeUndefined();
  const [item] = made.content;
  expect(item?.type === 'text' && JSON.parse(item.text)).toMatchObject(input);
  const refused = await client.callTool({ name: 'getProduct', arguments: { productId: 'x' } });
  expect(refused.isError).toBe(true);
  await client.close();
});
