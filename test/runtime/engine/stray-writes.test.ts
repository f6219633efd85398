import { afterEach, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const as = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };

interface Context {
  readonly current: { readonly id: string };
  readonly store: { readonly 'machines.notes': { create(input: object): Promise<unknown> } };
}

describe.each(databases)('writes that code does not wait for on $name', (database) => {
  let service: Service;
  afterEach(() => service.close());

  it('are not committed when it throws', async () => {
    let stray: Promise<unknown> | undefined;
    const update = (_patch: object, { store, current }: Context) => {
      stray = store['machines.notes'].create({ machineId: current.id, text: 'stray' });
      throw new Error('no');
    };
    service = await startService('workshop', database, {
      overrides: { machines: { update } },
    } as unknown as AnyHandlers);
    const machine = { code: 'A', name: 'Lathe', state: 'IDLE' };
    const { id } = (await service.request('POST', '/v1/machines', { as, body: machine })).body;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await service.request('PATCH', `/v1/machines/${id}`, { as, headers, body: { name: 'Mill' } });
    expect(reply.status).toBe(500);
    await Promise.allSettled([stray]);
    expect((await service.request('GET', `/v1/machines/${id}/notes`, { as })).body.data).toEqual([]);
  });
});
