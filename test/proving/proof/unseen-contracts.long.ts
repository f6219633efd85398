import { describe, expect, it } from 'vitest';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { oneIn } from '../../support/thorough.ts';
import { proofOf, SEEDED_CONTRACTS } from '../../support/unseen-contracts.ts';

/** The storefront takes longest, and `npm run proof` asks all of it. */
const STOREFRONT = { seeds: 3, samples: 5 };

/** Of each list of cases: twenty seeds try enough of them together. */
const SAMPLES = 1;

describe.each(oneIn(3, SEEDED_CONTRACTS.toReversed()))('a correct server of %s', (name, unseen, seeds) => {
  const isStorefront = name === 'contracts';
  it.each(isStorefront ? seeds.slice(0, STOREFRONT.seeds) : seeds)(
    'has nothing that the proof finds, by seed %i',
    async (seed) => {
      const { differences } = await proofOf(unseen, seed, isStorefront ? STOREFRONT.samples : SAMPLES);
      expect(differences.map(formatDifference).join('\n\n')).toBe('');
    },
  );
});
