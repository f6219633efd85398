import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

const CREATE = `mutation($input: ProductInput!) { createProduct(input: $input) {
  id version sku name status tags stock delivery { __typename }
} }`;
const UPDATE = `mutation($id: ID!, $input: ProductPatch!, $ifVersion: Int) {
  updateProduct(id: $id, input: $input, ifVersion: $ifVersion) { id version name description status }
}`;

let made = 0;
const input = (values: object = {}): object => {
  made += 1;
  const delivery = { physical: { weightGrams: 410 } };
  return { sku: `GQL-${made}`, name: 'Blue mug', price: 1999, currency: 'EUR', delivery, ...values };
};

describe.each(databases)('writing over GraphQL on $name', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
  });
  afterAll(() => shop.close());

  const create = async (values: object = {}): Promise<Json> =>
    (await shop.graphql(CREATE, { input: input(values) }, admin)).data.createProduct;
  const over = async (id: string): Promise<Json> => (await shop.get(`/products/${id}`)).body;

  it('creates, with the defaults of the contract', async () => {
    const product = await create();
    expect(product).toMatchObject({ version: 1, status: 'DRAFT', tags: [], stock: 0 });
    expect(await over(product.id)).toMatchObject({
      sku: product.sku,
      delivery: { kind: 'PHYSICAL', weightGrams: 410 },
    });
  });

  it('accepts a variant of a union, and treats null for an optional property as absent', async () => {
    const delivery = { digital: { downloadUrl: 'https://example.com/a.pdf', sizeBytes: null } };
    const product = await create({ delivery, tags: null });
    expect(product.delivery.__typename).toBe('DigitalDelivery');
    expect((await over(product.id)).delivery).toEqual({ kind: 'DIGITAL', downloadUrl: 'https://example.com/a.pdf' });
  });

  it('names the path of the argument that the contract refuses', async () => {
    const delivery = { physical: { weightGrams: 0 } };
    const { data, errors } = await shop.graphql(CREATE, { input: input({ delivery, tags: ['a', 'B'] }) }, admin);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['createProduct'], extensions: { code: 'VALIDATION_FAILED', status: 400 } }]);
    const places = errors![0]!.extensions.errors.map(({ argument }: Json) => argument);
    expect(places.sort()).toEqual(['input.delivery.physical.weightGrams', 'input.tags.1']);
  });

  it('answers the code of the contract for a scalar that is not valid', async () => {
    const { data, errors } = await shop.graphql(CREATE, { input: input({ imageUrl: 'no url' }) }, admin);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', status: 400 } }]);
  });

  it('changes what is sent, clears with null and keeps the rest', async () => {
    const { id } = await create({ description: 'Stoneware' });
    const named = await shop.graphql(UPDATE, { id, input: { name: 'Red mug' } }, admin);
    expect(named.data.updateProduct).toMatchObject({ version: 2, name: 'Red mug', description: 'Stoneware' });
    const cleared = await shop.graphql(UPDATE, { id, input: { description: null } }, admin);
    expect(cleared.data.updateProduct).toMatchObject({ version: 3, name: 'Red mug', description: null });
    const refused = await shop.graphql(UPDATE, { id, input: { name: null } }, admin);
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED', errors: [{ argument: 'input.name' }] } },
    ]);
  });

  it('changes nothing for an absent variable, however the document is executed', async () => {
    const { id } = await create({ description: 'Stoneware' });
    const document = `mutation($id: ID!, $name: String, $description: String) {
      updateProduct(id: $id, input: { name: $name, description: $description }) { name description }
    }`;
    for (const name of ['A', 'B', 'C', 'D']) {
      const { data } = await shop.graphql(document, { id, name }, admin);
      expect(data.updateProduct).toEqual({ name, description: 'Stoneware' });
    }
  });

  it('changes the variant of a union in a patch', async () => {
    const { id } = await create();
    const delivery = { digital: { downloadUrl: 'https://example.com/a.pdf' } };
    const { errors } = await shop.graphql(UPDATE, { id, input: { delivery } }, admin);
    expect(errors).toBeUndefined();
    expect((await over(id)).delivery).toEqual({ kind: 'DIGITAL', downloadUrl: 'https://example.com/a.pdf' });
  });

  it('replaces the whole resource', async () => {
    const product = await create({ description: 'Stoneware', stock: 5 });
    const { data, errors } = await shop.graphql(
      'mutation($id: ID!, $input: ProductInput!) { replaceProduct(id: $id, input: $input) { version description stock name } }',
      { id: product.id, input: { ...input({ name: 'Other' }), sku: product.sku } },
      admin,
    );
    expect(errors).toBeUndefined();
    expect(data.replaceProduct).toEqual({ version: 2, description: null, stock: 0, name: 'Other' });
  });

  it('only changes the expected version', async () => {
    const { id } = await create();
    const stale = await shop.graphql(UPDATE, { id, input: { name: 'X' }, ifVersion: 7 }, admin);
    expect(stale.errors).toMatchObject([{ extensions: { code: 'PRECONDITION_FAILED', status: 412 } }]);
    const fresh = await shop.graphql(UPDATE, { id, input: { name: 'X' }, ifVersion: 1 }, admin);
    expect(fresh.data.updateProduct).toMatchObject({ version: 2, name: 'X' });
  });

  it('deletes a resource, and answers its id', async () => {
    const { id } = await create();
    const document = 'mutation($id: ID!) { deleteProduct(id: $id) }';
    expect((await shop.graphql(document, { id: id.toUpperCase() }, admin)).data).toEqual({ deleteProduct: id });
    expect((await shop.get(`/products/${id}`)).status).toBe(404);
  });

  it('refuses duplicates, illegal moves and missing scopes with the codes of REST', async () => {
    const product = await create();
    const twice = await shop.graphql(CREATE, { input: { ...input(), sku: product.sku } }, admin);
    expect(twice.errors).toMatchObject([
      { extensions: { code: 'ALREADY_EXISTS', status: 409, errors: [{ argument: 'input.sku' }] } },
    ]);
    const archived = await shop.graphql(UPDATE, { id: product.id, input: { status: 'ARCHIVED' } }, admin);
    expect(archived.errors).toMatchObject([{ extensions: { code: 'ILLEGAL_TRANSITION', status: 409 } }]);
    const forbidden = await shop.graphql(CREATE, { input: input() }, customer);
    expect(forbidden.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', status: 403 } }]);
    const anonymous = await shop.graphql(CREATE, { input: input() });
    expect(anonymous.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', status: 401 } }]);
  });

  it('runs the overrides of the actions', async () => {
    const product = await shop.product({ price: 250, stock: 10 });
    const order = await shop.order();
    const add = `mutation($orderId: ID!, $input: OrderItemInput!) {
      createOrderItem(orderId: $orderId, input: $input) { unitPrice order { total } product { stock } }
    }`;
    const added = await shop.graphql(
      add,
      { orderId: order.id, input: { productId: product.id, quantity: 3 } },
      customer,
    );
    expect(added.data.createOrderItem).toEqual({ unitPrice: 250, order: { total: 750 }, product: { stock: 7 } });
    const refused = await shop.graphql(
      add,
      { orderId: order.id, input: { productId: product.id, quantity: 99 } },
      customer,
    );
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'OUT_OF_STOCK', errors: [{ argument: 'input.quantity' }] } },
    ]);
    const foreign = await shop.graphql(
      add,
      { orderId: order.id, input: { productId: product.id, quantity: 1 } },
      stranger,
    );
    expect(foreign.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  it('runs the changes of one document one after the other', async () => {
    const { id } = await create();
    const { data } = await shop.graphql(
      `mutation($id: ID!) {
        a: updateProduct(id: $id, input: { name: "A" }) { version }
        b: updateProduct(id: $id, input: { name: "B" }, ifVersion: 2) { version name }
      }`,
      { id },
      admin,
    );
    expect(data).toEqual({ a: { version: 2 }, b: { version: 3, name: 'B' } });
  });
});
