import { describe, expect, it } from 'vitest';
import { formatDifference } from '../../src/tools/proof/record.ts';
import { oneIn } from '../support/thorough.ts';
import { proofOf, UNSEEN_CONTRACTS, verificationOf } from '../support/unseen-contracts.ts';

/** Some of the contracts and one of the seeds that the long tests try, and there the storefront's proof as well, which takes longest. */
const SEEDS = [1];
const RUNS = 15;

describe.each(oneIn(3, UNSEEN_CONTRACTS).map((one) => [one.name, one] as const))(
  'a correct server of %s',
  (name, unseen) => {
    it.each(name === 'contracts' ? [] : SEEDS)('has nothing that the proof finds, by seed %i', async (seed) => {
      const { differences, notCovered, outcomes } = await proofOf(unseen, seed);
      expect(differences.map(formatDifference).join('\n\n')).toBe('');
      expect(notCovered).toEqual([]);
      expect(outcomes.get('data')).toBeGreaterThan(10);
    });

    it.each(SEEDS)('has nothing that verify finds, by seed %i', async (seed) => {
      const { findings, requests } = await verificationOf(unseen, seed, RUNS);
      expect(findings).toEqual([]);
      expect(requests).toBeGreaterThan(RUNS);
    });
  },
);
