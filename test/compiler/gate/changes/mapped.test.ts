import { expect, it } from 'vitest';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const editionOf = async (...edits: readonly Edit[]) => (await editedFolder('trade', edits, readEdition)).edition!;

it('other tables, columns and zones of a mapped schema are no change for clients or the database', async () => {
  const now = await editionOf(
    ['openapi.yaml', 'x-table: { schema: shop, name: customers }', 'x-table: { schema: sales, name: Clients }'],
    ['openapi.yaml', 'x-column: Company Name', 'x-column: title'],
    ['openapi.yaml', 'x-column: { name: packed, zone: UTC }', 'x-column: packed_at'],
    ['openapi.yaml', 'x-column: [shop_code, replaced]', 'x-column: [shop_code, instead_of]'],
  );
  expect(await changesBetween(await editionOf(), now)).toEqual([]);
});

it('another type of a property is one all the same', async () => {
  const now = await editionOf(['openapi.yaml', 'points: { type: string, format: int64 }', 'points: { type: integer }']);
  const found = await changesBetween(await editionOf(), now);
  expect(found.map(({ impact }) => impact)).toContain('major');
  expect(found.filter(({ area }) => area === 'storage')).toEqual([]);
});
