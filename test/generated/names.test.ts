import { beforeAll, describe, expect, it } from 'vitest';
import type { Compiled } from '../../src/compiler/compile-contract.ts';
import { databases } from '../support/databases.ts';
import { depotIn } from '../support/depot.ts';
import { startCompiled } from '../support/service.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

const as = { sub: '01941f29-7c00-7a10-8c57-00000000000a', scope: 'depot:write' };

describe('integer references of another name', () => {
  const BOUND = "bind.integerId('supplier_id')";
  const faults = [
    ['as the numbers that they are not', "bind.property('supplier_id')", /'number' is not assignable/],
    ['from a property that is a text', "bind.integerId('sku')", /not assignable/],
    ['from a property that is not there', "bind.integerId('supplierId')", /not assignable|no properties in common/],
  ] as const;
  let compiled: Compiled;
  let resolvers = '';
  let errors: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    compiled = await depotIn('snake_case', libraryFrom(1));
    resolvers = compiled.files!.get('resolvers.ts')!;
    const faulty = faults.map(([, binding], i) => [`resolvers-${i}.ts`, resolvers.replace(BOUND, binding)] as const);
    const files = [...compiled.files!, ...faulty].map(([path, text]) => [`generated/${path}`, text]);
    errors = await typeErrors(Object.fromEntries(files));
  });

  it('are resolved as the ids that they are', () => {
    expect(resolvers).toContain(`supplierId: ${BOUND}`);
    expect(errors.get('generated/resolvers.ts')).toEqual([]);
  });

  it.each(faults.map((fault, i) => [...fault, i] as const))('are not resolved %s', (_, _binding, message, i) => {
    expect(errors.get(`generated/resolvers-${i}.ts`)!.join('\n')).toMatch(message);
  });

  it.each(databases)('are texts over GraphQL, or null, on $name', async (database) => {
    const service = await startCompiled(compiled.model!, database);
    const supplier = await service.request('POST', '/v1/suppliers', { as, body: { code: 'acme', name: 'Acme' } });
    const { id } = supplier.body;
    expect(id).toBeTypeOf('number');
    const create = 'mutation($input: ProductInput!) { createProduct(input: $input) { supplierId supplier { id } } }';
    const made = async (input: object) =>
      (await service.graphql(create, { as, variables: { input: { name: 'Bolt', ...input } } })).data;
    expect(await made({ sku: 'BOL-001', price: 1, supplierId: String(id) })).toEqual({
      createProduct: { supplierId: String(id), supplier: { id: String(id) } },
    });
    expect(await made({ sku: 'BOL-002', price: 2 })).toEqual({ createProduct: { supplierId: null, supplier: null } });
    const { data } = await service.graphql('{ products(sort: [PRICE_ASC]) { nodes { supplierId } } }');
    expect(data.products.nodes).toEqual([{ supplierId: String(id) }, { supplierId: null }]);
    await service.close();
  });
});
