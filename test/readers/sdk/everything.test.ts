import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../../generated/sdk/graphql.js';
import { graphql } from '../../../generated/sdk/graphql.js';
import { type Client, createClient, orders, products, users } from '../../../generated/sdk/index.js';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Json, Shop } from '../../support/storefront.ts';

let made = 0;
const next = (): number => {
  made += 1;
  return made;
};
const delivery = { kind: 'PHYSICAL', weightGrams: 1 } as const;
const productInput = () => ({ sku: `EVERY-${next()}`, name: 'Mug', price: 1, currency: 'EUR', stock: 9, delivery });
const userInput = () => ({ email: `${next()}@example.com`, name: 'Ada' });

describe.each(databases)('the client does everything, on $name:', (database) => {
  let shop: Shop;
  let client: Client;
  const active = async () =>
    products.update(client, await products.create(client, productInput()), { status: 'ACTIVE' });

  beforeAll(async () => {
    shop = await Shop.open(database);
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    client = createClient({ baseUrl: `http://127.0.0.1:${await shop.listen()}/v1`, token });
    // With every scope it would be a user for somebody else.
    await shop.user({ ...admin, scope: 'users:write' });
  });
  afterAll(() => shop.close());

  /** All actions of a resource: `parent` and `target` as they are given. */
  async function allActions(resource: Json, parent: readonly Json[], inputs: () => Json, patch: Json): Promise<void> {
    const created = await resource.create(client, ...parent, inputs());
    expect(await resource.get(client, created)).toEqual(created);
    const updated = await resource.update(client, created, patch);
    expect(updated).toMatchObject(patch);
    const changed = await resource.change(client, created, () => patch);
    const { sku, userId, productId } = created;
    const kept = {
      ...(sku && { sku }),
      ...(userId && !sku && { userId }),
      ...(productId && resource === orders.items && { productId }),
    };
    const replaced = await resource.replace(client, changed, { ...inputs(), ...kept });
    const ids: string[] = [];
    for await (const { id } of resource.list(client, ...parent)) ids.push(id);
    expect(ids).toContain(replaced.id);
    await resource.delete(client, replaced);
    await expect(resource.get(client, replaced)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }

  it('every action of every resource', async () => {
    const [product, order] = [await active(), await orders.create(client, {})];
    await allActions(users, [], userInput, { name: 'Eve' });
    await allActions(products, [], productInput, { price: 2 });
    await allActions(products.reviews, [{ productId: product.id }], () => ({ rating: 4, title: 'Fine' }), {
      rating: 5,
    });
    await allActions(orders, [], () => ({ note: 'Gift' }), { note: 'No gift' });
    await allActions(orders.items, [{ orderId: order.id }], () => ({ productId: product.id, quantity: 1 }), {
      quantity: 2,
    });
  });

  it('every document that reads or writes', async () => {
    const [product, order] = [await active(), await orders.create(client, {})];
    const ids = { productId: product.id, orderId: order.id };
    const physical = { physical: { weightGrams: 1 } };
    const inputs: Record<string, () => Json> = {
      User: userInput,
      Product: () => ({ ...productInput(), delivery: physical }),
      Review: () => ({ rating: 3, title: 'Fine' }),
      Order: () => ({ note: 'Gift' }),
      OrderItem: () => ({ productId: product.id, quantity: 1 }),
    };
    const patches: Record<string, Json> = {
      User: { name: 'Eve' },
      Product: { price: 3 },
      Review: { rating: 1 },
      Order: { note: 'x' },
      OrderItem: { quantity: 2 },
    };
    const run = async (name: string, variables: Json): Promise<Json> => {
      done.add(name);
      return Object.values((await graphql(client, (documents as Json)[name], variables)) as Json)[0];
    };
    const done = new Set<string>();
    for (const [type, input] of Object.entries(inputs)) {
      const within =
        type === 'Review' ? { productId: ids.productId } : type === 'OrderItem' ? { orderId: ids.orderId } : {};
      const created = await run(`create${type}Mutation`, { ...within, input: input() });
      const one = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
      expect(await run(`${one}Query`, { ...within, id: created.id })).toEqual(created);
      await run(`update${type}Mutation`, { ...within, id: created.id, input: patches[type], ifVersion: 1 });
      const kept = type === 'Product' ? { sku: created.sku } : {};
      expect(
        (await run(`replace${type}Mutation`, { ...within, id: created.id, input: { ...input(), ...kept } })).id,
      ).toBe(created.id);
      if (`${one}sQuery` in documents)
        expect((await run(`${one}sQuery`, { first: 100 })).nodes.map(({ id }: Json) => id)).toContain(created.id);
      expect(await run(`delete${type}Mutation`, { ...within, id: created.id })).toBe(created.id);
    }
    const all = Object.keys(documents).filter((name) => /(?:Query|Mutation)$/.test(name));
    expect(all.filter((name) => !done.has(name))).toEqual([]);
  });
});
