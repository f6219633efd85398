import { expect, it } from 'vitest';
import { totalsCodeFindings } from '../../../src/authoring/contract/totals-code.ts';
import { handlers } from '../../../src/handlers/index.ts';
import { contractOf } from '../../support/service.ts';

it('totals beside a list that code answers are a warning, in the contract of the project alone', async () => {
  const contract = await contractOf('contracts');
  expect(await totalsCodeFindings('contracts', contract)).toEqual([]);
  const { overrides } = handlers as unknown as { readonly overrides: Record<string, object> };
  const { orders } = overrides;
  overrides['orders'] = { ...orders, list: () => ({ items: [] }) };
  const found = await totalsCodeFindings('contracts', contract);
  const elsewhere = await totalsCodeFindings('test/fixtures/takings', contract);
  overrides['orders'] = orders!;
  expect(found).toMatchObject([
    {
      rule: 'totals-override',
      severity: 'warning',
      message: 'Totals of `Order` count the rows of the database, not what the override of its list answers.',
      location: { file: '../src/handlers/index.ts', pointer: 'overrides.orders.list' },
    },
  ]);
  expect(elsewhere).toEqual([]);
});
