import { describe, expect, it } from 'vitest';
import { type FoundJob, JobClaims, type JobFinder, WINDOW } from '../../../src/runtime/storage/claiming.ts';
import type { ClaimedJob, JobLease } from '../../../src/runtime/storage/jobs.ts';

const names = ['greet'];
const free = (id: number, slot: string | null = null): FoundJob => ({ id: `${id}`, claims: 0, slot, isHeldUp: false });
const heldUp = (id: number): FoundJob => ({ ...free(id, 'k'), isHeldUp: true });
const claimed = ({ id, claims }: JobLease): ClaimedJob => ({
  ...{ id, claims: claims + 1, tenant: '', name: 'greet', key: null, input: '{}', subject: null, requestId: 'r' },
  ...{ attempt: 1, depth: 0 },
});
const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id);

describe('JobClaims', () => {
  const finder = (given: Partial<JobFinder>): JobFinder => ({
    find: async () => [],
    findFree: async () => [],
    findAgain: async () => [],
    findLost: async () => [],
    take: async (leases) => leases.map(claimed),
    ...given,
  });
  const fails = (): Promise<never> => Promise.reject(new Error('no connection is free in time'));
  const window = Array.from({ length: WINDOW }, (_, i) => heldUp(i + 10));

  describe('where a step fails', () => {
    const claim = (given: Partial<JobFinder>) =>
      new JobClaims(finder(given)).claim({ names, limit: 9, isThorough: true }, null);

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
    ])('return what was taken though %s fails', async (_, given) => {
      expect(idsOf(await claim(given))).toEqual(['1']);
    });

    it('fail if nothing was taken', async () => {
      await expect(claim({ find: async () => window, findFree: fails })).rejects.toThrow('no connection');
      await expect(claim({ find: async () => [free(1, 'a'), free(2)], take: fails })).rejects.toThrow('no connection');
    });
  });

  describe('behind more held-up jobs than a look reads', () => {
    let nowMs = 0;
    let searches = 0;
    let search: () => Promise<readonly FoundJob[]>;
    const claims = (first: readonly FoundJob[] = []) => {
      [nowMs, searches] = [0, 0];
      const given = finder({
        find: async (_, most) => (most === WINDOW ? [...first, ...window] : window),
        findFree: () => {
          searches++;
          nowMs += 100;
          return search();
        },
        findAgain: async (_, leases) => leases.map(({ id }) => ({ ...free(Number(id)), isHeldUp: id === '5' })),
      });
      const made = new JobClaims(given, () => nowMs);
      return async (limit: number, isThorough = false) => idsOf(await made.claim({ names, limit, isThorough }, null));
    };

    it('search again after twice the time that a search took, and at each thorough look', async () => {
      const claim = claims();
      search = async () => [];
      for (const [afterMs, isThorough, expected] of [
        [0, false, 1],
        [199, false, 1],
        [1, false, 2],
        [0, true, 3],
        [199, false, 3],
        [1, false, 4],
      ] as const) {
        nowMs += afterMs;
        await claim(1, isThorough);
        expect(searches).toBe(expected);
      }
    });

    it('do not search in a quick look that has taken others', async () => {
      const claim = claims([free(1)]);
      search = async () => [free(2)];
      expect([await claim(2), searches]).toEqual([['1'], 0]);
      expect([await claim(2, true), searches]).toEqual([['1', '2'], 1]);
    });

    it('rest also after a search that failed', async () => {
      const claim = claims();
      search = fails;
      await expect(claim(1)).rejects.toThrow('no connection');
      expect([await claim(1), searches]).toEqual([[], 1]);
    });

    it('take what a search found beyond their limit without another, unless it is held up meanwhile', async () => {
      const claim = claims();
      search = async () => [1, 2, 3, 4, 5, 6].map((id) => free(id));
      expect([await claim(2), await claim(2), await claim(2), searches]).toEqual([['1', '2'], ['3', '4'], ['6'], 1]);
    });
  });
});
