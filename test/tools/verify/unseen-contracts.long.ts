import { describe, expect, it } from 'vitest';
import { SEEDED_CONTRACTS, verificationOf } from '../../support/unseen-contracts.ts';

const RUNS = 15;

describe.each(SEEDED_CONTRACTS)('a correct server of %s', (_name, unseen, seeds) => {
  it.each(seeds)('has nothing that verify finds, by seed %i', async (seed) => {
    const { findings } = await verificationOf(unseen, seed, RUNS);
    expect(findings).toEqual([]);
  });
});
