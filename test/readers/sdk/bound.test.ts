import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, type Product, products, users } from '../../../generated/sdk/bound.js';
import { graphql, productQuery } from '../../../generated/sdk/graphql.js';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { CLIENT_MEMBERS } from '../../../src/compiler/emit/sdk/sdk-names.ts';
import { connect } from '../../../src/readers/sdk/client.ts';
import { databases } from '../../support/databases.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { withFolder } from '../../support/folder.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, customer, Shop } from '../../support/storefront.ts';
import { typeErrors } from '../../support/type-check.ts';
import { all } from './support.ts';

let made = 0;
const input = () => {
  made += 1;
  return { sku: `BOUND-${made}`, name: 'Mug', price: 5, currency: 'EUR', stock: 9, delivery } as const;
};
const delivery = { kind: 'PHYSICAL', weightGrams: 1 } as const;

describe.each(databases)('a client with bound resources, on $name,', (database) => {
  let shop: Shop;
  let staff: Client;
  let shopper: Client;

  beforeAll(async () => {
    shop = await Shop.open(database);
    const baseUrl = `http://127.0.0.1:${await shop.listen()}/v1`;
    const clientOf = async ({ subject, scope }: { subject: string; scope: string }) =>
      createClient({ baseUrl, token: await tokenOf({ sub: subject, scope }) });
    [staff, shopper] = [await clientOf(admin), await clientOf(customer)];
    await shopper.users.create({ email: 'ada@example.com', name: 'Ada' });
  });
  afterAll(() => shop.close());

  it('does what the functions do', async () => {
    const created: Product = await staff.products.create(input());
    const product = await staff.products.update(created, { status: 'ACTIVE' });
    expect(await all(shopper.products.list({ status: ['ACTIVE'] }))).toEqual([product]);
    const review = await shopper.products.reviews.create({ productId: product.id }, { rating: 4, title: 'Fine' });
    expect(await shopper.products.reviews.get(review)).toEqual(review);
    expect(await shopper.getRatingSummary({ path: { productId: product.id } })).toMatchObject({ average: 4 });
    const order = await shopper.orders.create({});
    await shopper.orders.items.create({ orderId: order.id }, { productId: product.id, quantity: 1 });
    expect(await shopper.orders.change(order.id, () => ({ note: 'Gift' }))).toMatchObject({ note: 'Gift', total: 5 });
  });

  it('is a client for the functions, too', async () => {
    const { id } = await products.create(staff, input());
    expect((await graphql(staff, productQuery, { id })).product).toMatchObject({ name: 'Mug' });
    expect((await users.list(staff).page()).data.length).toBe((await staff.users.list().page()).data.length);
    expect((await staff.rest.GET('/products')).response.status).toBe(200);
  });
});

/** A resource and an operation that are called like members of a client, and others like parts of TypeScript and of resources. */
const operation = (id: string) => `  /do-${id}:
    post:
      operationId: ${id}
      responses: { '200': { description: Yes., content: { text/plain: { schema: { type: string } } } } }
`;
const TAKEN: readonly Edit[] = [
  ['openapi.yaml', '/papers', '/rest'],
  ['openapi.yaml', /^paths:\n/gm, `paths:\n${operation('send')}${operation('then')}${operation('get')}`],
];

const CALLER = `import { createClient } from './sdk/bound.js';

export async function read(): Promise<string> {
  const client = await createClient({ baseUrl: 'https://example.com' });
  for await (const { id } of client.restResource.list({ limit: 1 })) console.log(id);
  const { response } = await client.rest.GET('/rest');
  await client.send(new Request(response.url));
  // @ts-expect-error no such parameter
  client.restResource.list({ size: 1 });
  // @ts-expect-error a client is no promise
  client.then();
  const found = await client.restResource.get('one', { ifNoneMatch: '"1"' }).withResponse();
  if (found.notModified) return '';
  // @ts-expect-error it may be unchanged
  (await client.restResource.get('one', { ifNoneMatch: '"1"' })).id;
  const { data } = await client.restResource.get('one').withResponse();
  const one: string = await client.get().withResponse().then((answer) => answer.data);
  return one + data.id + found.data.id + (await client.sendOperation()) + (await client.thenOperation());
}
`;

describe('names that a client has itself', () => {
  it('are known', () => {
    const own = connect({ baseUrl: 'http://h' }, { baseUrl: '/', makeError: () => expect.fail() });
    expect(Object.keys(own).sort()).toEqual([...CLIENT_MEMBERS].sort());
  });

  it('are kept, and resources and operations have others', async () => {
    const { files } = await editedFolder('custom', TAKEN, (folder) => compileContract(folder));
    const sdk = [...files!].filter(([path]) => path.startsWith('sdk/'));
    const sources = sdk.filter(([path]) => /\.(?:ts|json)$/.test(path));
    const errors = await typeErrors({ ...Object.fromEntries(sources), 'caller.ts': CALLER });
    expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
    await withFolder({ ...Object.fromEntries(sdk), 'package.json': '{ "type": "module" }' }, async (folder) => {
      await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
      const entry = await import(pathToFileURL(join(folder, 'sdk/bound.js')).href);
      const sent: string[] = [];
      const client = await entry.createClient({
        baseUrl: 'http://h',
        fetch: async ({ method, url }: Request) => {
          sent.push(`${method} ${url}`);
          return new Response('"yes"');
        },
      });
      await client.restResource.get('one');
      await client.rest.GET('/rest');
      await client.sendOperation();
      await client.send(new Request('http://h/other'));
      expect(sent).toEqual([
        'GET http://h/rest/one',
        'GET http://h/rest',
        'POST http://h/do-send',
        'GET http://h/other',
      ]);
    });
  });
});
