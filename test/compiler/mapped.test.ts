import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { compileContract, modelContract } from '../../src/compiler/compile-contract.ts';
import { publishedDocument } from '../../src/compiler/emit/published-document.ts';
import { propertyNamed, resourceWithKey } from '../../src/descriptor/resource.ts';
import { standardErrors } from '../../src/descriptor/standard-errors.ts';
import { withFolder } from '../support/folder.ts';
import { contractOf } from '../support/service.ts';
import { readingTrade } from '../support/trade.ts';

const trade = await compileContract('test/fixtures/trade');
const { resources } = trade.model!;

it('a mapped resource names its table, and the columns of each property', () => {
  const lines = resourceWithKey(resources, 'orderLines');
  expect(lines.mapped).toEqual({ schema: 'shop', name: 'Order Lines' });
  expect(propertyNamed(lines.properties, 'id')).toMatchObject({
    column: 'id',
    columns: ['shop_code', 'number', 'Line No'],
  });
  expect(propertyNamed(lines.properties, 'packedAt')).toMatchObject({ columns: ['packed'], zone: 'UTC' });
  expect(propertyNamed(lines.properties, 'version')).not.toHaveProperty('columns');
});

it('neither the published document nor the SDL names tables of others or their columns', () => {
  const published = JSON.stringify(publishedDocument(trade.model!.document));
  for (const text of [published, trade.files!.get('schema.graphql')]) {
    expect(text).toContain('OrderLine');
    expect(text).not.toMatch(/x-table|x-column|Order Lines/);
  }
});

it('the example of the documentation is the resource of this contract', async () => {
  const page = await readFile('docs/reference/existing-tables.md', 'utf8');
  const shown = parse(/```yaml\n(OrderLine:[\s\S]*?)```/.exec(page)![1]!) as Record<string, { properties: object }>;
  const { OrderLine } = parse(await readFile('test/fixtures/trade/openapi.yaml', 'utf8')).components.schemas;
  expect(OrderLine).toMatchObject({ ...shown['OrderLine'], required: expect.any(Array) });
});

it('the SDL has versions that are hashes as texts', () => {
  const text = trade.files!.get('schema.graphql');
  expect(text).toContain('deleteOrderLine(id: ID!, ifVersion: String)');
  expect(text).toContain('deleteOrder(id: ID!, ifVersion: Int)');
});

it('only writes of mapped resources answer REFUSED_BY_DATABASE, and only contracts with such writes list it', async () => {
  const codesOf = (method: string, path: string): string =>
    JSON.stringify((publishedDocument(trade.model!.document).paths[path] as Record<string, object>)[method]);
  for (const [method, path] of [
    ['post', '/orders'],
    ['put', '/customers/{customerId}'],
    ['patch', '/orders/{orderId}'],
    ['delete', '/orders/{orderId}'],
  ] as const)
    expect(codesOf(method, path)).toContain('"422"');
  expect(codesOf('get', '/orders')).not.toContain('"422"');
  expect(Object.keys(trade.model!.errors)).toContain('REFUSED_BY_DATABASE');
  const [cats, reading] = [await contractOf('cats'), await readingTrade()];
  expect(Object.keys(cats.errors)).not.toContain('REFUSED_BY_DATABASE');
  expect(Object.keys(reading.errors)).not.toContain('REFUSED_BY_DATABASE');
});

it('an `ErrorCode` of a contract with such writes has to list it', async () => {
  const { REFUSED_BY_DATABASE: _, ...others } = standardErrors;
  const words = Object.entries(others).map(([name, { code: _, ...described }]) => [name, described]);
  const document = parse(await readFile('test/fixtures/trade/openapi.yaml', 'utf8'));
  const described = Object.fromEntries(words);
  document.components.schemas.ErrorCode = { type: 'string', enum: Object.keys(others), 'x-error-codes': described };
  const sdl = await readFile('test/fixtures/trade/schema.graphql', 'utf8');
  await withFolder({ 'openapi.yaml': stringify(document), 'schema.graphql': sdl }, async (path) => {
    const { findings } = await modelContract(path);
    expect(findings.filter(({ rule }) => rule === 'error-codes').map(({ message }) => message)).toEqual([
      expect.stringContaining('does not list `REFUSED_BY_DATABASE`'),
    ]);
  });
});
