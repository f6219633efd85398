import { describe, expect, it } from 'vitest';
import { claimJobs, type FoundJob, type JobFinder, WINDOW } from '../../../src/runtime/storage/claiming.ts';
import type { ClaimedJob, JobLease } from '../../../src/runtime/storage/jobs.ts';

const names = ['greet'];
const free = (id: number, slot: string | null = null): FoundJob => ({ id: `${id}`, claims: 0, slot, isHeldUp: false });
const heldUp = (id: number): FoundJob => ({ ...free(id, 'k'), isHeldUp: true });
const claimed = ({ id, claims }: JobLease): ClaimedJob => ({
  ...{ id, claims: claims + 1, tenant: '', name: 'greet', key: null, input: '{}', subject: null, requestId: 'r' },
  ...{ attempt: 1, depth: 0 },
});
const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id);

describe('claimJobs', () => {
  const finder = (given: Partial<JobFinder>): JobFinder => ({
    find: async () => [],
    findFree: async () => [],
    findLost: async () => [],
    take: async (leases) => leases.map(claimed),
    ...given,
  });
  const fails = (): Promise<never> => Promise.reject(new Error('no connection is free in time'));
  const claim = (given: Partial<JobFinder>) => claimJobs(finder(given), { names, limit: 9, isThorough: true }, null);
  const window = Array.from({ length: WINDOW }, (_, i) => heldUp(i + 10));

  it.each([
    ['find', { find: fails, findLost: async () => [free(1)] }],
    ['findFree', { find: async () => [free(1), ...window], findFree: fails }],
    [
      'take of another key',
      {
        find: async () => [free(2, 'a'), free(1, 'b')],
        take: async (leases: readonly JobLease[]) => (leases[0]!.id === '1' ? leases.map(claimed) : fails()),
      },
    ],
  ])('returns what was taken though %s fails', async (_, given) => {
    expect(idsOf(await claim(given))).toEqual(['1']);
  });

  it('fails if nothing was taken', async () => {
    await expect(claim({ find: async () => window, findFree: fails })).rejects.toThrow('no connection');
    await expect(claim({ find: async () => [free(1, 'a'), free(2)], take: fails })).rejects.toThrow('no connection');
  });
});
