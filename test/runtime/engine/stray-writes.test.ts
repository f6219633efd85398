import { afterEach, describe, expect, it } from 'vitest';
import type { Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { AnyResources } from '../../../src/runtime/engine/interface/untyped.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const as = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };

interface Context extends Sending {
  readonly current: { readonly id: string };
  readonly store: {
    readonly 'machines.notes': { create(input: object): Promise<unknown>; list(): Promise<readonly object[]> };
  };
}

const later = jobsOf<AnyResources>()('later', { run: () => undefined });

describe.each(databases)('writes that code does not wait for on $name', (database) => {
  let service: Service;
  afterEach(() => service.close());

  it('are not committed when it throws', async () => {
    let stray: Promise<unknown> | undefined;
    const update = (_patch: object, { store, current }: Context) => {
      stray = store['machines.notes'].create({ machineId: current.id, text: 'stray' });
      throw new Error('no');
    };
    const { id, status } = await updated(update);
    expect(status).toBe(500);
    await Promise.allSettled([stray]);
    expect(await notesOf(id)).toEqual([]);
  });

  it.each([500, 200])(
    'are refused when its transaction has ended, as are reads and jobs, after %i',
    async (expected) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      let stray: Promise<readonly PromiseSettledResult<unknown>[]> | undefined;
      const update = async (patch: object, { store, current, send }: Context, next: (patch: object) => unknown) => {
        const notes = store['machines.notes'];
        const late = () => [notes.create({ machineId: current.id, text: 'stray' }), notes.list(), send(later, {})];
        stray = ended.then(() => Promise.allSettled(late()));
        const machine = await next(patch);
        if (expected === 500) throw new Error('no');
        return machine;
      };
      const { id, status } = await updated(update);
      expect(status).toBe(expected);
      end();
      expect((await stray)?.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
        Array.from({ length: 3 }, () => 'Error: The transaction has ended.'),
      );
      expect(await notesOf(id)).toEqual([]);
      expect(await service.store.jobs.list({})).toEqual([]);
    },
  );

  const updated = async (update: unknown): Promise<{ readonly id: string; readonly status: number }> => {
    const handlers = { overrides: { machines: { update } }, jobs: [later] } as unknown as AnyHandlers;
    service = await startService('workshop', database, handlers);
    const machine = { code: 'A', name: 'Lathe', state: 'IDLE' };
    const { id } = (await service.request('POST', '/v1/machines', { as, body: machine })).body;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { status } = await service.request('PATCH', `/v1/machines/${id}`, { as, headers, body: { name: 'Mill' } });
    return { id, status };
  };
  const notesOf = async (id: string) => (await service.request('GET', `/v1/machines/${id}/notes`, { as })).body.data;
});
