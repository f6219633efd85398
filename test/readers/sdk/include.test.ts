import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, orders } from '../../../generated/sdk/index.js';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { customer, Shop } from '../../support/storefront.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const CALLER = `import { type Client, type Order, orders, users } from './sdk/index.js';

export async function read(client: Client, { id }: Order): Promise<readonly (string | undefined)[]> {
  const order = await orders.get(client, id, { include: ['user', 'items.product'] });
  for await (const { user } of orders.list(client, { limit: 1, include: ['user'] })) console.log(user?.name);
  // @ts-expect-error orders do not include it
  orders.get(client, id, { include: ['seller'] });
  // @ts-expect-error nor do lists of orders
  orders.list(client, { include: ['seller'] });
  // @ts-expect-error users include nothing
  users.get(client, id, { include: ['orders'] });
  return [order.user?.name, ...(order.items?.data.map(({ product }) => product?.sku) ?? [])];
}
`;

const [database] = databases;
let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open(database!);
  await shop.user(customer);
});
afterAll(() => shop.close());

it('the client includes by their names what reads offer', async () => {
  const { files } = await compileContract('contracts', libraryFrom(0));
  const sources = [...files!].filter(([path]) => /^(?:sdk|types)\/.*\.(?:ts|json)$/.test(path));
  const errors = await typeErrors({ ...Object.fromEntries(sources), 'caller.ts': CALLER });
  expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
});

it('the client reads what is included', async () => {
  const { id } = await shop.order();
  const mug = await shop.product({ stock: 9 });
  await shop.item(id, mug.id, 2);
  const token = tokenOf({ sub: customer.subject, scope: customer.scope });
  const client = createClient({ baseUrl: `http://127.0.0.1:${await shop.service.listen()}/v1`, token });
  const order = await orders.get(client, id, { include: ['user', 'items.product'] });
  expect([order.user?.id, order.items?.data.map(({ product }) => product?.sku)]).toEqual([customer.subject, [mug.sku]]);
  const { data } = await orders.list(client, { include: ['user'], limit: 1 }).page();
  expect(data[0]?.user).toEqual(order.user);
  expect(Object.keys(await orders.get(client, id))).not.toContain('user');
});
