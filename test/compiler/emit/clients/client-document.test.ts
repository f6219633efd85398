import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { emitClientDocument } from '../../../../src/compiler/emit/clients/emit-client-document.ts';
import type { ContractModel } from '../../../../src/compiler/model/model.ts';
import { filteredPayroll } from '../../../support/filtered-payroll.ts';
import { contractOf } from '../../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const FIXTURES = [
  'contracts',
  'atlas',
  'cats',
  'clinic',
  'depot',
  'exchange',
  'folders',
  'invoices',
  'library',
  'orchard',
  'widgets',
];

const prepared = async (name: string): Promise<Json> =>
  JSON.parse(emitClientDocument((await contractOf(name)) as ContractModel));

/** Every object in a value, with its key. */
function* objectsIn(value: Json, key = ''): Generator<{ key: string; node: Json }> {
  if (typeof value !== 'object' || value === null) return;
  yield { key, node: value };
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, name);
}

describe.each(FIXTURES)('the document for clients of %s', (name) => {
  let document: Json;
  beforeAll(async () => {
    document = await prepared(name);
  });

  test('is OpenAPI 3.1', async () => {
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  });

  test('refers only to what it has, and has only what is referred to', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#(\/components\/[^"]+)"/g)].map(([, pointer]) => pointer));
    const { securitySchemes: _, ...components } = document.components;
    const own = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members as object).map((member) => `/components/${kind}/${member}`),
    );
    expect(new Set(own)).toEqual(referred);
  });

  test('holds nothing that a generator misreads', () => {
    for (const { key, node } of objectsIn(document)) {
      if (key === 'properties' || key === 'schemas' || key === 'mapping' || key === 'responses') continue;
      expect(Object.keys(node)).not.toContain('default');
      expect(Object.keys(node)).not.toContain('uniqueItems');
      expect(Object.keys(node)).not.toContain('examples');
      expect(node.style).not.toBe('deepObject');
      if ([node.type].flat().includes('string')) expect(node.format ?? '').not.toMatch(/^(?:decimal|int64)$/);
    }
  });

  test('has one media type for each body, and one answer for all failures', () => {
    const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
    for (const { requestBody, responses } of operations.filter((node) => node.responses)) {
      if (requestBody) expect(Object.keys(requestBody.content)).toHaveLength(1);
      expect(Object.keys(responses).filter((status) => /^[45]/.test(status))).toEqual([]);
      expect(responses.default.content['application/problem+json'].schema.$ref).toMatch(/Problem$/);
    }
  });
});

describe('the document for clients', () => {
  let storefront: Json;
  let widgets: Json;
  beforeAll(async () => {
    [storefront, widgets] = await Promise.all([prepared('contracts'), prepared('widgets')]);
  });

  const parametersOf = (document: Json, path: string): Json =>
    Object.fromEntries(document.paths[path].get.parameters.map((one: Json) => [one.name, one]));

  test('writes each operator of a filter as a parameter', () => {
    const { 'price[gt]': gt, 'price[lte]': lte, price } = parametersOf(storefront, '/products');
    expect(price).toBeUndefined();
    expect(gt).toMatchObject({
      in: 'query',
      description: expect.stringMatching(/\(gt\)\.$/),
      schema: { type: 'integer' },
    });
    expect(lte.schema).toEqual(gt.schema);
  });

  test('names the keys of `sort`', () => {
    expect(parametersOf(storefront, '/products').sort.schema.items).toEqual({
      $ref: '#/components/schemas/ProductSort',
    });
    const { enum: values, 'x-enum-varnames': names } = storefront.components.schemas.ProductSort;
    expect(Object.fromEntries(values.map((value: string, i: number) => [value, names[i]]))).toMatchObject({
      price: 'PRICE',
      '-createdAt': 'CREATED_AT_DESC',
    });
  });

  test('gives a key of `sort` that starts with a digit a name that does not', () => {
    const sorts = Object.values<Json>(widgets.components.schemas).flatMap((schema) => schema['x-enum-varnames'] ?? []);
    expect(sorts).toContain('BY_2FA_DESC');
    expect(sorts).toContain('FIRST_NAME');
  });

  test('gives integers the width that their bounds need', () => {
    const { Version, Product, MinorUnits, PageInfo } = storefront.components.schemas;
    expect(Version.format).toBe('int64');
    expect(PageInfo.properties.totalCount.format).toBe('int64');
    expect(MinorUnits.format).toBe(MinorUnits.maximum > 2 ** 31 - 1 ? 'int64' : undefined);
    expect(Product.properties.version).toEqual({ $ref: '#/components/schemas/Version' });
  });

  test('says which value of the discriminator stands for which schema', async () => {
    const { mapping } = (await prepared('library')).components.schemas.Edition.discriminator;
    expect(Object.keys(mapping)).toEqual(expect.arrayContaining(['PAPER', 'DIGITAL']));
  });

  test('has no extension but the names of values', () => {
    const extensions = [...objectsIn(storefront)].flatMap(({ node }) =>
      Object.keys(node).filter((key) => /^x-/.test(key)),
    );
    expect(new Set(extensions)).toEqual(new Set(['x-enum-varnames']));
  });
});

test('filters that combine conditions stay one parameter of JSON, and those named for references one for each value', async () => {
  const { model } = await filteredPayroll([], (folder) => modelContract(folder));
  const document: Json = JSON.parse(emitClientDocument(model!));
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  const { parameters } = document.paths['/employees'].get;
  const named = (name: string) => parameters.find((one: Json) => one.name === name);
  expect(named('filter').content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/EmployeeFilter' } },
  });
  expect(named('mentor[salary]').schema).toMatchObject({ type: 'integer', maximum: 1000000 });
  const { EmployeeFilter, EmployeeListFilter } = document.components.schemas;
  expect(Object.keys(EmployeeFilter.properties)).toEqual(expect.arrayContaining(['and', 'or', 'not', 'department']));
  expect(Object.keys(EmployeeListFilter.properties)).toEqual(['some', 'none']);
});
