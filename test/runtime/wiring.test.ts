import { describe, expect, it } from 'vitest';
import { admin as sampleAdmin } from '../../contracts/samples/index.ts';
import { resolvers } from '../../generated/resolvers.ts';
import { routes } from '../../generated/routes.ts';
import { handlers } from '../../src/handlers/index.ts';
import { type AnyHandlers, plannedWiring, type Wiring } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { contractOf, startCompiled, startService } from '../support/service.ts';

const emitted = { routes, resolvers } as unknown as Wiring;
const shop = handlers as unknown as AnyHandlers;
const [database] = databases;
const admin = { sub: sampleAdmin.subject, scope: sampleAdmin.scope };

/** Notes each call of a binder with what it is given, in place of binding anything. */
function recorded(prefix: string): object {
  const note =
    (name: string) =>
    (...args: readonly unknown[]): string =>
      `${name}(${args.map((arg) => (typeof arg === 'object' ? JSON.stringify(arg) : String(arg))).join(', ')})`;
  const names =
    'list get create replace update delete totals batch operation route root field reference connection created updated deleted union';
  return Object.fromEntries(names.split(' ').map((name) => [name, note(`${prefix}.${name}`)]));
}

describe('the wiring', () => {
  it('is the same as emitted and as planned', async () => {
    const planned = plannedWiring(await contractOf('contracts'));
    const operations = { getRatingSummary: 'operations.getRatingSummary' };
    const rest = { bind: recorded('rest'), operations, routes: {} } as never;
    expect(routes(rest)).toEqual(planned.routes(rest));
    const graphql = { bind: recorded('graphql'), fields: {}, operations } as never;
    expect(resolvers(graphql)).toEqual(planned.resolvers!(graphql));
    expect(resolvers(graphql).Query.product).toBe('graphql.get(products)');
  });

  const unfit: readonly (readonly [string, Partial<Wiring>, string])[] = [
    [
      'a missing route',
      { routes: (wiring) => ({ ...emitted.routes(wiring), getProduct: undefined! }) },
      'No route for getProduct (generated/routes.ts; run `npm run generate`)',
    ],
    [
      'an extra route',
      { routes: (wiring) => ({ ...emitted.routes(wiring), getNothing: wiring.bind.get('products') }) },
      'Routes for operations that the contract does not have: getNothing',
    ],
    [
      'a missing resolver',
      { resolvers: (wiring) => ({ ...emitted.resolvers!(wiring), Order: {} }) },
      'No resolver for Order.user (generated/resolvers.ts; run `npm run generate`)',
    ],
    [
      'an extra resolver',
      { resolvers: (wiring) => ({ ...emitted.resolvers!(wiring), Address: { city: wiring.bind.get('users') } }) },
      'The contract has no field Address.city that takes a resolver',
    ],
    [
      'a resource that is not there',
      { routes: (wiring) => ({ ...emitted.routes(wiring), getProduct: wiring.bind.get('gadgets') }) },
      'The contract has no resource gadgets.',
    ],
  ];

  it.each(unfit)('does not boot with %s', async (_, change, message) => {
    const contract = { ...(await contractOf('contracts')), wiring: { ...emitted, ...change } };
    await expect(startCompiled(contract, database!, shop)).rejects.toThrow(message);
  });

  it.each([
    ['a replacement of no route', { routes: { getNothing: () => undefined } }, 'handlers.routes): getNothing'],
    [
      'a replacement of no resolver',
      { resolvers: { Product: { name: () => undefined } } },
      'handlers.resolvers.Product.name does not replace a resolver of the contract',
    ],
  ])('does not boot with %s', async (_, change, message) => {
    const given = { ...shop, ...change } as unknown as AnyHandlers;
    await expect(startService('contracts', database!, given)).rejects.toThrow(message);
  });

  it.each([
    [
      'a misspelt part',
      { override: {} },
      'handlers.override is not one of overrides, operations, security, versions, ',
    ],
    ['an override that is no function', { overrides: { orders: { create: 5 } } }, 'handlers.overrides.orders.create'],
    ['overrides that are no object', { overrides: { orders: 'all' } }, 'handlers.overrides.orders is not an object'],
    [
      'an operation that is no function',
      { operations: { getRatingSummary: { all: () => [] } } },
      'handlers.operations.getRatingSummary',
    ],
    ['a route that is no function', { routes: { getUser: 5 } }, 'handlers.routes.getUser is not a function'],
    [
      'a field that is no function',
      { fields: { Product: { ratingSummary: 1 } } },
      'handlers.fields.Product.ratingSummary',
    ],
    [
      'a resolver that is none',
      { resolvers: { Review: { product: 'x' } } },
      'handlers.resolvers.Review.product is neither',
    ],
    ['a misspelt part of a step between versions', { versions: { v0: { schema: {} } } }, 'handlers.versions.v0.schema'],
  ])('does not boot with %s', async (_, change, message) => {
    const given = { ...shop, ...change } as unknown as AnyHandlers;
    await expect(startService('contracts', database!, given)).rejects.toThrow(message);
  });
});

describe.each(databases)('one entry that is replaced by hand, on $name,', (on) => {
  const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
  const product = { sku: 'LAMP-0001', name: 'Lamp', price: 100, currency: 'EUR', stock: 3, delivery };

  async function replaced(): Promise<Awaited<ReturnType<typeof startCompiled>>> {
    // Code of routes belongs to REST alone, so that agents cannot be offered what it replaces.
    const contract = { ...(await contractOf('contracts')), tools: undefined, wiring: emitted };
    return startCompiled(contract, on, {
      ...shop,
      routes: {
        // What the default answers, with a field changed; the caller and the request are known.
        getProduct: async (request: never, { caller }: never, next: (request: never) => Promise<unknown>) => {
          const reply = (await next(request)) as { status: number; headers: object; body: object };
          const name = (caller as { principal?: { subject: string } }).principal?.subject ?? 'nobody';
          return { status: reply.status, headers: reply.headers, body: { ...reply.body, name, leak: 1 } } as never;
        },
        deleteProduct: async (request: never, { transaction }: never) => {
          const { productId } = (request as { params: { productId: string } }).params;
          await (transaction as (work: (context: { store: never }) => Promise<void>) => Promise<void>)(
            async ({ store }) =>
              (store as { products: { delete(id: string): Promise<void> } }).products.delete(productId),
          );
          return { status: 204 };
        },
      },
      resolvers: {
        Query: {
          product: async (_parent: never, { id }: never, { store }: never) => {
            const { products } = store as { products: { get(id: string): Promise<object | undefined> } };
            return { ...(await products.get(id)), name: 'by hand' };
          },
        },
      },
    } as unknown as AnyHandlers);
  }

  it('answers in place of the default, behind validation and rendering', async () => {
    const service = await replaced();
    const { status, body } = await service.request('POST', '/v1/products', { as: admin, body: product });
    expect([status, body]).toEqual([201, expect.anything()]);
    const read = await service.request('GET', `/v1/products/${body.id}`);
    expect(read.body).toMatchObject({ sku: 'LAMP-0001', name: 'nobody' });
    expect(read.body).not.toHaveProperty('leak');
    expect(read.headers['etag']).toMatch(/^"1\.[\w-]+"$/);
    expect((await service.request('GET', '/v1/products/no-uuid')).status).toBe(400);
    const { data } = await service.graphql('query($id: ID!) { product(id: $id) { sku name } }', {
      variables: { id: body.id },
    });
    expect(data).toEqual({ product: { sku: 'LAMP-0001', name: 'by hand' } });
    await service.close();
  });

  it('stays behind the door, and writes in a transaction', async () => {
    const service = await replaced();
    const { status, body } = await service.request('POST', '/v1/products', { as: admin, body: product });
    expect([status, body]).toEqual([201, expect.anything()]);
    const path = `/v1/products/${body.id}`;
    expect((await service.request('DELETE', path)).status).toBe(401);
    expect((await service.request('DELETE', path, { as: { ...admin, scope: 'users:read' } })).status).toBe(403);
    expect((await service.request('DELETE', path, { as: admin })).status).toBe(204);
    expect((await service.request('GET', path)).status).toBe(404);
    await service.close();
  });
});
