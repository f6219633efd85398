import { buildSchema, type GraphQLField, getNamedType, isObjectType } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../support/databases.ts';
import { contractOf, tokenOf } from '../support/service.ts';
import { admin, type Caller, customer, type Json, Shop, stranger } from '../support/storefront.ts';

const { graphql } = await contractOf('contracts');
const schema = buildSchema(graphql!.sdl, { assumeValid: true });
const fields = Object.values(schema.getSubscriptionType()!.getFields());
const isOpen = ({ astNode }: GraphQLField<unknown, unknown>): boolean =>
  !astNode?.directives?.some(({ name }) => name.value === 'auth');

const textOf = ({ name, type }: GraphQLField<unknown, unknown>): string =>
  `subscription { ${name}${isObjectType(getNamedType(type)) ? ' { id }' : ''} }`;

describe('every subscription', () => {
  let shop: Shop;
  let url = '';
  const clients: Client[] = [];

  const connect = async (as?: Caller): Promise<Client> => {
    const token = as && (await tokenOf({ sub: as.subject, scope: as.scope }));
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: token ? { authorization: `Bearer ${token}` } : {},
    });
    clients.push(client);
    return client;
  };
  /** The code that ends a subscription before it has begun. */
  const refusal = async (query: string, as?: Caller): Promise<unknown> => {
    const events = (await connect(as)).iterate({ query });
    try {
      const { value } = await events.next();
      return value?.errors?.[0]?.extensions?.['code'];
    } catch (errors) {
      return (errors as Json)[0]?.extensions?.code;
    }
  };

  beforeAll(async () => {
    shop = await Shop.open(databases[0]!);
    url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    await shop.user(customer);
    await shop.user(stranger);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.dispose()));
    await shop.close();
  });

  it.each(fields.map((field) => [field.name, field] as const))(
    'refuses what it does not take: %s',
    async (_name, field) => {
      expect(await refusal(textOf(field).replace(field.name, `${field.name}(nothing: 1)`), admin)).toBe(
        'VALIDATION_FAILED',
      );
    },
  );

  it.each(fields.filter((field) => !isOpen(field)).map((field) => [field.name, field] as const))(
    'asks who is there: %s',
    async (_name, field) => {
      expect(await refusal(textOf(field))).toBe('UNAUTHENTICATED');
      expect(await refusal(textOf(field), { ...customer, scope: '' })).toBe('FORBIDDEN');
    },
  );

  it('publishes what is created, changed and deleted', async () => {
    const client = await connect(admin);
    const seen = new Set<string>();
    const all = fields.map(async (field) => {
      const { value } = await client.iterate({ query: textOf(field) }).next();
      expect(value?.data?.[field.name]).toBeTruthy();
      seen.add(field.name);
    });
    // A subscription starts some time after the request: changes are made until an event arrives.
    while (seen.size < fields.length) await everything(shop);
    await Promise.all(all);
  });
});

/** Creates, changes and deletes one of everything. */
async function everything(shop: Shop): Promise<void> {
  const { id: userId } = (await shop.post('/users', admin, { email: `${Math.random()}@example.com`, name: 'Ada' }))
    .body;
  const [{ id: productId }, { id: orderId }] = [await shop.product(), await shop.order()];
  const { id: reviewId } = await shop.review(productId, customer);
  const { id: itemId } = await shop.item(orderId, productId, 1);
  const changes = [
    [`/users/${userId}`, { name: 'Eve' }],
    [`/products/${productId}/reviews/${reviewId}`, { rating: 1 }],
    [`/orders/${orderId}/items/${itemId}`, { quantity: 2 }],
    [`/orders/${orderId}`, { note: 'Gift' }],
  ] as const;
  for (const [path, patch] of changes) await shop.patch(path, admin, patch);
  for (const [path] of changes) await shop.delete(path, admin);
  await shop.delete(`/products/${productId}`, admin);
}
