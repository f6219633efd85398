import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { resolveReference } from '../../../../src/compiler/json-schema/references.ts';
import type { CompiledContract } from '../../../../src/descriptor/compiled-contract.ts';
import type { Parameter } from '../../../../src/descriptor/document.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';
import { contractOf } from '../../../support/service.ts';

const YAML = 'openapi.yaml';
const [MIN, MAX] = [-2_147_483_648, 2_147_483_647];
const PAGES = 'gt: { type: integer }, gte: { type: integer }, lt: { type: integer }, lte: { type: integer }';
const operands = (keywords: string): string => PAGES.replaceAll('integer', `integer, ${keywords}`);

function filterOf({ document }: CompiledContract, path: string, name: string): unknown {
  const parameters = document.paths[path]!.get!.parameters!.map((one) => resolveReference<Parameter>(document, one)!);
  return parameters.find((one) => one.name === name)!.schema;
}
const edition = (edits: readonly Edit[]) => editedFolder('library', edits, readEdition);

describe('filters by integers', () => {
  it('have the bounds of the scalar of their property, where they declare none', async () => {
    const bounded = { type: 'integer', minimum: MIN, maximum: MAX };
    expect(filterOf(await contractOf('library'), '/books', 'pages')).toMatchObject({
      properties: { gt: bounded, gte: bounded, lt: bounded, lte: bounded },
    });
    const storefront = await contractOf('contracts');
    const price = { type: 'integer', minimum: 0, maximum: MAX };
    expect(filterOf(storefront, '/products', 'price')).toMatchObject({ properties: { gt: price } });
    const total = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER };
    expect(filterOf(storefront, '/orders', 'total')).toMatchObject({ properties: { gt: total } });
  });

  it('break nobody by declaring those bounds', async () => {
    const [released, current] = [
      await edition([]),
      await edition([[YAML, PAGES, operands(`minimum: ${MIN}, maximum: ${MAX}`)]]),
    ];
    expect(await changesBetween(released.edition!, current.edition!)).toEqual([]);
  });

  it('break clients by declaring narrower ones', async () => {
    const [released, current] = [await edition([]), await edition([[YAML, PAGES, operands('maximum: 1000')]])];
    const changes = await changesBetween(released.edition!, current.edition!);
    expect(new Set(changes.map(({ impact }) => impact))).toEqual(new Set(['major']));
  });

  it('must not take what GraphQL refuses', async () => {
    const { findings } = await edition([[YAML, PAGES, operands('maximum: 3000000000')]]);
    const [found] = findings.filter(({ severity }) => severity === 'error');
    expect(found).toMatchObject({ rule: 'parity-filter', location: { file: YAML } });
    expect(found!.message).toMatch(/SafeInt.*IntRange|SafeInt.*Int/);
  });
});
