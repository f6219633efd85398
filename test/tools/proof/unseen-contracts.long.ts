import { describe, expect, it } from 'vitest';
import { formatDifference } from '../../../src/tools/proof/record.ts';
import { proofOf, SEEDED_CONTRACTS } from '../../support/unseen-contracts.ts';

/** The storefront takes longest, and `npm run proof` asks all of it. */
const STOREFRONT_SEEDS = 3;

/** Invalid inputs and queries of each action: twenty seeds try enough of them together. */
const SAMPLES = 2;

describe.each(SEEDED_CONTRACTS)('a correct server of %s', (name, unseen, seeds) => {
  it.each(name === 'contracts' ? seeds.slice(0, STOREFRONT_SEEDS) : seeds)(
    'has nothing that the proof finds, by seed %i',
    async (seed) => {
      const { differences } = await proofOf(unseen, seed, SAMPLES);
      expect(differences.map(formatDifference).join('\n\n')).toBe('');
    },
  );
});
