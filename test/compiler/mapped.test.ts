import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { publishedDocument } from '../../src/compiler/emit/published-document.ts';
import { propertyNamed, resourceWithKey } from '../../src/descriptor/resource.ts';

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
