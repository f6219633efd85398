import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEEDED_CONTRACTS, type VerifiedService, verifiedService } from '../../support/unseen-contracts.ts';

const RUNS = 15;

describe.each(SEEDED_CONTRACTS)('a correct server of %s', (_name, unseen, seeds) => {
  let service: VerifiedService;

  beforeAll(async () => {
    service = await verifiedService(unseen);
  });

  afterAll(() => service.close());

  it.each(seeds)('has nothing that verify finds, by seed %i', async (seed) => {
    const { findings } = await service.verification(seed, RUNS);
    expect(findings).toEqual([]);
  });
});
