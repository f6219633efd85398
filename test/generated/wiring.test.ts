import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typeErrors } from '../support/type-check.ts';

const generated = join(import.meta.dirname, '../../generated');

/** A generated file as one in a folder of its own sees it, with one change. */
function changed(file: 'routes.ts' | 'resolvers.ts', from: string, to: string): string {
  const text = readFileSync(join(generated, file), 'utf8');
  expect(text).toContain(from);
  const moved = text.replace(from, to);
  return moved.replaceAll("from './", "from '../../generated/").replaceAll("from '../src/", "from '../../src/");
}

/** Each is refused where the entry stands, or where the whole is held against the contract. */
const faults: readonly (readonly [string, 'routes.ts' | 'resolvers.ts', string, string])[] = [
  ['a missing route', 'routes.ts', "    getProduct: bind.get('products'),\n", ''],
  ['an extra route', 'routes.ts', '  ({\n', "  ({\n    getNothing: bind.get('products'),\n"],
  ['a route of another resource', 'routes.ts', "getProduct: bind.get('products')", "getProduct: bind.get('orders')"],
  ['a route of another action', 'routes.ts', "getProduct: bind.get('products')", "getProduct: bind.list('products')"],
  ['a route below another parent', 'routes.ts', "bind.list('products.reviews')", "bind.list('orders.items')"],
  ['a route of a resource that is not there', 'routes.ts', "bind.get('products')", "bind.get('gadgets')"],
  [
    'a route with an undeclared status',
    'routes.ts',
    'bind.operation(operations.getRatingSummary)',
    'bind.operation(async () => ({ status: 299, body: {} }))',
  ],
  [
    'a route with a wrong result',
    'routes.ts',
    'bind.operation(operations.getRatingSummary)',
    'bind.operation(async () => ({ status: 200, body: { average: 5 } }))',
  ],
  ['a missing resolver', 'resolvers.ts', "      product: bind.get('products'),\n", ''],
  ['a missing resolver of a nested field', 'resolvers.ts', "      items: bind.connection('orders.items'),\n", ''],
  ['an extra resolver', 'resolvers.ts', '    Query: {\n', "    Query: {\n      nothing: bind.get('products'),\n"],
  ['a resolver of another resource', 'resolvers.ts', "product: bind.get('products')", "product: bind.get('orders')"],
  [
    'a resolver with a wrong argument',
    'resolvers.ts',
    "product: bind.get('products')",
    "product: bind.get('orders.items')",
  ],
  [
    'a resolver with a wrong result',
    'resolvers.ts',
    "product: bind.get('products')",
    'product: async () => ({ sku: 5 })',
  ],
  ['a reference by another property', 'resolvers.ts', "'favouriteProductId'", "'favouriteProduct'"],
  [
    'a connection by another property',
    'resolvers.ts',
    "bind.connection('orders', 'userId')",
    "bind.connection('orders', 'customerId')",
  ],
  [
    'an event of another kind',
    'resolvers.ts',
    "bind.created('products', 'productCreated')",
    "bind.updated('products', 'productCreated')",
  ],
  [
    'an event of another resource',
    'resolvers.ts',
    "bind.created('products', 'productCreated')",
    "bind.created('orders', 'productCreated')",
  ],
  ['a union of another type', 'resolvers.ts', "'PhysicalDelivery'", "'Product'"],
];

describe('the wiring of the shipped contract', () => {
  it('is refused by the compiler for each fault, and for nothing else', async () => {
    const files = Object.fromEntries(faults.map(([, file, from, to], i) => [`fault-${i}.ts`, changed(file, from, to)]));
    const errors = await typeErrors({
      ...files,
      'routes.ts': changed('routes.ts', 'bind', 'bind'),
      'resolvers.ts': changed('resolvers.ts', 'bind', 'bind'),
    });
    expect(errors.get('routes.ts')).toEqual([]);
    expect(errors.get('resolvers.ts')).toEqual([]);
    const accepted = faults.flatMap(([name], i) => (errors.get(`fault-${i}.ts`)!.length === 0 ? [name] : []));
    expect(accepted).toEqual([]);
  });
});
