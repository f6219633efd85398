import { describe, expect, it } from 'vitest';
import { formatDifference } from '../../src/tools/proof/record.ts';
import { proofOf, UNSEEN_CONTRACTS, verificationOf } from '../support/unseen-contracts.ts';

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const RUNS = 25;

describe.each(UNSEEN_CONTRACTS.map((unseen) => [unseen.name, unseen] as const))(
  'a correct server of %s',
  (_name, unseen) => {
    it.each(SEEDS)('has nothing that the proof or verify finds, by seed %i', async (seed) => {
      const { differences } = await proofOf(unseen, seed);
      expect(differences.map(formatDifference).join('\n\n')).toBe('');
      const { findings } = await verificationOf(unseen, seed, RUNS);
      expect(findings).toEqual([]);
    });
  },
);
