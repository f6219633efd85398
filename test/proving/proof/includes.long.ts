import { expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { includingAll } from '../../support/including.ts';
import { oneIn } from '../../support/thorough.ts';

const CONTRACTS = [
  ...['orchard', 'conservatory', 'practice', 'tracker', 'club', 'library', 'payroll', 'workshop', 'festival'],
  ...['atlas', 'diary', 'folders', 'invoices', 'laboratory', 'depot', 'journal'],
];

it.each(oneIn(4, CONTRACTS))('what reads of %s include is what GraphQL nests, and what tools answer', async (name) => {
  const contract = await includingAll(name);
  const { differences, rows } = await prove({ contract, samples: 3 });
  expect(differences.map(formatDifference).join('\n\n').slice(0, 8_000)).toBe('');
  const included = rows.filter(({ action }) => action === 'include');
  expect(included.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBeGreaterThan(100);
  expect(included.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(20);
});
