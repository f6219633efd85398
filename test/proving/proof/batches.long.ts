import { expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { batchingAll } from '../../support/batching.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { oneIn } from '../../support/thorough.ts';

const CONTRACTS = [
  ...['atlas', 'cats', 'conservatory', 'depot', 'festival', 'folders', 'invoices', 'journal', 'laboratory', 'library'],
  ...['orchard', 'payroll', 'practice', 'tracker', 'trade', 'wares', 'workshop'],
];

it.each(oneIn(4, CONTRACTS))(
  'batches of all resources of %s are answered the same over each protocol, and leave the same rows',
  async (name) => {
    const contract = await batchingAll(name);
    const { differences, notCovered, outcomes } = await prove({ contract, samples: 4 });
    expect(differences.map(formatDifference).join('\n\n').slice(0, 4_000)).toBe('');
    expect(notCovered.filter((text) => text.includes('batch'))).toEqual([]);
    expect([outcomes.get('data'), outcomes.get('INTERNAL_ERROR')]).toEqual([expect.any(Number), undefined]);
  },
);

it.runIf(hasPostgres).each(oneIn(2, ['wares', 'tracker']))('batches of %s are so on Postgres', async (name) => {
  const { differences } = await prove({ contract: await batchingAll(name), samples: 2, database: SERVER });
  expect(differences.map(formatDifference).join('\n\n').slice(0, 4_000)).toBe('');
});
