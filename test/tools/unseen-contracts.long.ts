import { describe, expect, it } from 'vitest';
import { formatDifference } from '../../src/tools/proof/record.ts';
import { NAMED_CONTRACTS, proofOf, UNSEEN_CONTRACTS, verificationOf } from '../support/unseen-contracts.ts';

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const RUNS = 25;

/** The storefront takes longest, and `npm run proof` asks all of it. */
const proofSeedsOf = (name: string): readonly number[] => (name === 'contracts' ? SEEDS.slice(0, 3) : SEEDS);

const contracts = [...UNSEEN_CONTRACTS, ...NAMED_CONTRACTS].map((one) => [one.name, one] as const);

describe.each(contracts)('a correct server of %s', (name, unseen) => {
  it.each(proofSeedsOf(name))('has nothing that the proof finds, by seed %i', async (seed) => {
    const { differences } = await proofOf(unseen, seed);
    expect(differences.map(formatDifference).join('\n\n')).toBe('');
  });

  it.each(SEEDS)('has nothing that verify finds, by seed %i', async (seed) => {
    const { findings } = await verificationOf(unseen, seed, RUNS);
    expect(findings).toEqual([]);
  });
});
