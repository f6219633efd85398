import { afterEach, describe, expect, it } from 'vitest';
import type { Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { AnyResources } from '../../../src/runtime/engine/interface/untyped.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { AnyEventHandlers } from '../../../src/runtime/jobs/event-jobs.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type As, type Service, startService } from '../../support/service.ts';

const as: As = { sub: 'ann', scope: 'wares:read wares:write', claims: { tenant: 'a' } };

type Ware = { readonly code: string; readonly price: number };

describe.each(databases)('jobs of batches on $name', (database) => {
  let service: Service;
  let runner: JobRunner;
  const ran: string[] = [];
  const label = jobsOf<AnyResources>()<{ readonly code: string }>('label', {
    run: ({ code }) => ran.push(`label ${code}`),
  });
  const heard =
    (kind: string): NonNullable<AnyEventHandlers['created']> =>
    ({ row }) => {
      const { code, price } = row as unknown as Ware;
      ran.push(`${kind} ${code} ${price}`);
    };

  const start = async (): Promise<void> => {
    ran.length = 0;
    const create = async (input: Ware, { send }: Sending, next: (input: Ware) => Promise<Ware>) => {
      await send(label, { code: input.code });
      return next(input);
    };
    const on = { wares: { created: heard('created'), updated: heard('updated'), deleted: heard('deleted') } };
    const handlers = { on, jobs: [label], overrides: { wares: { create } } } as unknown as AnyHandlers;
    service = await startService('wares', database, handlers, {
      onJobs: (made) => {
        runner = made;
      },
    });
  };
  afterEach(() => service.close());

  const ware = (code: string) => ({ code, name: 'Lamp', state: 'NEW', price: 1 });
  const made = (code: string) => ({ create: { input: ware(code) } });
  const batch = async (items: readonly object[], mode?: string): Promise<readonly unknown[]> => {
    const { status, body } = await service.request('POST', '/v1/wares/batch', { as, body: { items, mode } });
    const results: readonly { readonly status: number }[] = body.data ?? [];
    return [status, ...results.map((result) => result.status)];
  };
  const run = async (): Promise<readonly string[]> => {
    expect((await runner.runDue()).failed).toEqual([]);
    return ran.splice(0).toSorted();
  };

  it('are sent by all items that are written together, with one event for each row, or by none', async () => {
    await start();
    expect(await batch([made('a'), made('b')])).toEqual([200, 201, 201]);
    expect(await run()).toEqual(['created a 1', 'created b 1', 'label a', 'label b']);
    const update = (price: number) => ({ update: { key: { code: 'a' }, input: { price } } });
    expect(await batch([update(2), made('c'), made('a')])).toEqual([409]);
    expect(await run()).toEqual([]);
    expect(await batch([update(3), { delete: { key: { code: 'b' } } }, made('d')])).toEqual([200, 200, 204, 201]);
    expect(await run()).toEqual(['created d 1', 'deleted b 1', 'label d', 'updated a 3']);
  });

  it('are those of a create or an update by an upsert', async () => {
    await start();
    const upsert = (price: number) => ({ upsert: { key: { code: 'a' }, create: ware('a'), update: { price } } });
    expect(await batch([upsert(2)])).toEqual([200, 201]);
    expect(await run()).toEqual(['created a 1', 'label a']);
    expect(await batch([upsert(2)])).toEqual([200, 200]);
    expect(await run()).toEqual(['updated a 2']);
    expect(await batch([upsert(3), upsert(4)])).toEqual([200, 200, 200]);
    expect(await run()).toEqual(['updated a 4']);
  });

  it('are sent by each item that is written by itself', async () => {
    await start();
    expect(await batch([made('a'), made('a'), made('b')], 'EACH')).toEqual([200, 201, 409, 201]);
    expect(await run()).toEqual(['created a 1', 'created b 1', 'label a', 'label b']);
  });
});
