import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editedContract } from '../../support/edited-contract.ts';
import { isThorough, oneIn } from '../../support/thorough.ts';
import { FreshData } from './support/fresh-data.ts';

/** With the storefront: rules of rows, tenants and joins; owners that are rows; keys of their own. */
const FEW = ['contracts', 'tracker', 'journal', 'workshop'];
const OTHERS = [
  ...['archive', 'atlas', 'cats', 'clinic', 'club', 'conservatory', 'custom', 'depot', 'diary', 'exchange', 'festival'],
  ...['folders', 'invoices', 'library', 'observatory', 'orchard', 'payroll', 'practice', 'widgets'],
  ...['valid/shelter', 'valid/ordinary', 'foreign/zoo', 'foreign/fastapi', 'foreign/rail', 'foreign/typespec'],
  'foreign/workshop',
];

describe.each(isThorough ? [...FEW, ...oneIn(4, OTHERS)] : FEW)(
  'the samples of %s, on the data of a first start',
  (name) => {
    let data: FreshData;
    beforeAll(async () => {
      data = await FreshData.of(name);
    });
    afterAll(() => data.remove());

    test.each(['REST', 'GraphQL'])('succeed one after the other, over %s', async (protocol) => {
      const samples = data.samples.filter((one) => one.protocol === protocol);
      expect(await data.faults(samples)).toEqual([]);
    });

    test.runIf(isThorough)('succeed each alone', async () => {
      const reads = data.samples.filter(({ isRead }) => isRead);
      const faults = await data.faults(reads);
      for (const sample of data.samples.filter(({ isRead }) => !isRead)) faults.push(...(await data.faults([sample])));
      expect(faults).toEqual([]);
    });

    // Operations that are no actions of a resource may take nothing.
    test.skipIf(name.startsWith('foreign/'))('change something', () => {
      const patches = data.samples.map(({ curl }) => curl('')).filter((text) => text.includes(' -X PATCH '));
      expect(patches.filter((text) => text.includes("-d '{}'"))).toEqual([]);
    });
  },
);

test('samples have a token with the claims that rules compare, of rows that there are', async () => {
  const create = '{ clinic: { members: { some: { userId: $claims.sub } } } }';
  const update = '{ clinic: { members: { some: { userId: $claims.sub, role: EDITOR } } } }';
  const contract = await editedContract('practice', [
    ['openapi.yaml', create, '{ clinicId: $claims.clinic.id }'],
    ['openapi.yaml', update, '{ clinic: { country: $claims.clinic.country } }'],
    ['openapi.yaml', 'published: false }', 'not: { published: true }, name: { in: [$claims.names] } }'],
  ]);
  const data = await FreshData.of('practice', contract);
  expect(await data.faults(data.samples.filter(({ protocol }) => protocol === 'REST'))).toEqual([]);
  await data.remove();
});
