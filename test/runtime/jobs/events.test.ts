import { afterEach, describe, expect, it } from 'vitest';
import type { JobContext } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import type { Tables } from '../../../src/runtime/engine/interface/tables.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { AnyEventHandlers, EventHandlersByResource } from '../../../src/runtime/jobs/event-jobs.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const ada = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };
const START = Date.parse('2026-01-15T12:00:00Z');

type Context = Omit<JobContext<unknown>, 'store' | 'transaction'> & {
  readonly store: Tables<Record<'machines' | 'machines.notes', ResourceTypes>>;
  readonly transaction: JobContext<Record<'machines' | 'machines.notes', ResourceTypes>>['transaction'];
};
type Handle = Extract<AnyEventHandlers['created'], (...args: never) => unknown>;

describe.each(databases)('events on $name', (database) => {
  let service: Service;
  let runner: JobRunner;
  let now = START;
  const heard: (readonly [string, object])[] = [];
  const lines: string[] = [];
  const hears =
    (kind: string): Handle =>
    ({ row, ...event }) =>
      heard.push([
        kind,
        { ...event, name: (row as { name?: string; text?: string }).name ?? (row as { text?: string }).text },
      ]);

  const start = async (on: EventHandlersByResource, overrides: object = {}, jobs: object[] = []): Promise<void> => {
    heard.length = 0;
    lines.length = 0;
    now = START;
    const log = (_fields: object, message?: string) => void lines.push(message ?? '');
    const logged = { info: log, warn: log, error: log, child: () => logged };
    service = await startService('workshop', database, { on, overrides, jobs } as unknown as AnyHandlers, {
      clock: () => now,
      http: { log: logged as never },
      onJobs: (made) => {
        runner = made;
      },
    });
  };
  afterEach(() => service.close());

  let made = 0;
  const create = async (name: string): Promise<string> => {
    const body = { code: `E${++made}`, name, state: 'IDLE' };
    const reply = await service.request('POST', '/v1/machines', { as: ada, body });
    expect(reply.status).toBe(201);
    return reply.body.id;
  };
  const ask = (method: string, path: string, body?: object) =>
    service.request(method, `/v1${path}`, {
      as: ada,
      ...(body && { body }),
      ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
    });
  const run = () => runner.runDue();

  const all = { created: hears('created'), updated: hears('updated'), deleted: hears('deleted') };

  it('are handled after the commit, of each row in their order, over each protocol', async () => {
    await start({ machines: all });
    const id = await create('Lathe');
    await ask('PATCH', `/machines/${id}`, { name: 'Mill' });
    const mutation = 'mutation ($id: ID!, $input: MachinePatch!) { updateMachine(id: $id, input: $input) { version } }';
    const { errors } = await service.graphql(mutation, { as: ada, variables: { id, input: { state: 'BUSY' } } });
    expect(errors?.[0]?.message).toBeUndefined();
    expect((await ask('DELETE', `/machines/${id}`)).status).toBe(204);
    expect(heard).toEqual([]);
    const { ran, failed } = await run();
    expect([ran.length, failed]).toEqual([4, []]);
    expect(heard).toEqual([
      ['created', { name: 'Lathe', before: {}, version: 1, actor: 'ada' }],
      [
        'updated',
        { name: 'Mill', before: expect.objectContaining({ name: 'Lathe', version: 1 }), version: 2, actor: 'ada' },
      ],
      [
        'updated',
        { name: 'Mill', before: expect.objectContaining({ state: 'IDLE', version: 2 }), version: 3, actor: 'ada' },
      ],
      ['deleted', { name: 'Mill', before: {}, version: 3, actor: 'ada' }],
    ]);
    expect((await run()).ran).toEqual([]);
  });

  it('are one for each row and transaction, and none of what is rolled back', async () => {
    const override = async (
      input: never,
      context: Context & { caller: unknown },
      next: (input: never) => Promise<{ id: string; name: string }>,
    ) => {
      const row = await next(input);
      await context.store.machines.update(row.id, { name: `${row.name}!` } as object);
      const other = await context.store.machines.create({ code: `X${++made}`, name: 'gone', state: 'IDLE' } as object);
      await context.store.machines.delete((other as { id: string }).id);
      if (row.name === 'bad') throw new ApiError('CONFLICT', { detail: 'no' });
      return row;
    };
    await start({ machines: all }, { machines: { create: override } });
    await create('good');
    expect((await ask('POST', '/machines', { code: 'BAD', name: 'bad', state: 'IDLE' })).status).toBe(409);
    await run();
    expect(heard).toEqual([['created', { name: 'good!', before: {}, version: 2, actor: 'ada' }]]);
  });

  it('are of rows that a deletion takes along, with the tenant of those above', async () => {
    const tenants: unknown[] = [];
    const counts: Handle = async (event, context) => {
      tenants.push(await (context as Context).store.machines.count());
      return hears('note')(event, context);
    };
    await start({ 'machines.notes': { deleted: counts } });
    const id = await create('Lathe');
    await create('Mill');
    for (const text of ['a', 'b']) expect((await ask('POST', `/machines/${id}/notes`, { text })).status).toBe(201);
    await ask('DELETE', `/machines/${id}`);
    await run();
    expect(heard.map(([, event]) => (event as { name: string }).name).toSorted()).toEqual(['a', 'b']);
    expect(tenants).toEqual([1, 1]);
  });

  it('are of rows that lose a reference to a deleted one', async () => {
    await start({ machines: { updated: hears('updated') } });
    const standard = await ask('POST', '/standards', { name: 'ISO' });
    expect(standard.status).toBe(201);
    const id = await create('Lathe');
    expect((await ask('PATCH', `/machines/${id}`, { standardId: standard.body.id })).status).toBe(200);
    await run();
    expect((await ask('DELETE', `/standards/${standard.body.id}`)).status).toBe(204);
    await run();
    expect(heard.slice(1)).toMatchObject([['updated', { before: { standardId: standard.body.id }, version: 3 }]]);
  });

  it('of other properties write nothing', async () => {
    await start({ machines: { updated: { of: ['state'], run: hears('state') } } });
    const id = await create('Lathe');
    await ask('PATCH', `/machines/${id}`, { name: 'Mill' });
    expect((await run()).ran).toEqual([]);
    await ask('PATCH', `/machines/${id}`, { name: 'Press', state: 'BUSY' });
    await run();
    expect(heard).toMatchObject([['state', { name: 'Press', before: { name: 'Mill', state: 'IDLE' } }]]);
  });

  it('wait for an earlier one of their row that has failed', async () => {
    let fails = true;
    const created: Handle = (event, context) => {
      if (fails) throw new Error('no');
      return hears('created')(event, context);
    };
    await start({ machines: { ...all, created } });
    const id = await create('Lathe');
    await ask('PATCH', `/machines/${id}`, { name: 'Mill' });
    await run();
    expect(heard).toEqual([]);
    fails = false;
    now += 12_000;
    await run();
    expect(heard.map(([kind]) => kind)).toEqual(['created', 'updated']);
  });

  it('that cause each other without an end are dead at 16 steps', async () => {
    let writes = 0;
    const again: Handle = ({ row }, context) =>
      (context as Context).transaction(({ store }) =>
        store.machines.update((row as { id: string }).id, { name: `Lathe ${++writes}` } as object),
      );
    await start({ machines: { updated: again } });
    const id = await create('Lathe');
    await ask('PATCH', `/machines/${id}`, { name: 'Mill' });
    expect((await run()).ran).toHaveLength(16);
    expect(writes).toBe(16);
    expect(lines.filter((line) => line === 'job is dead')).toHaveLength(1);
    expect(await service.store.jobs.list({})).toMatchObject([
      { name: 'on:machines', key: id, state: 'dead', error: expect.stringMatching(/^16 events led to this one/) },
    ]);
  });

  it('that cause each other by way of jobs are dead at 16 steps as well', async () => {
    let writes = 0;
    const write = jobsOf<Record<'machines', ResourceTypes>>()<{ readonly id: string }>('write', {
      run: ({ id }, { transaction }) =>
        transaction(({ store }) => store.machines.update(id, { name: `Lathe ${++writes}` } as object)),
    });
    const actors = new Set<unknown>();
    const sends: Handle = ({ row, actor }, context) => {
      actors.add(actor);
      return (context as Context).transaction(({ send }) => send(write, { id: (row as { id: string }).id }));
    };
    await start({ machines: { updated: sends } }, {}, [write]);
    const id = await create('Lathe');
    await ask('PATCH', `/machines/${id}`, { name: 'Mill' });
    expect((await run()).ran).toHaveLength(32);
    expect(writes).toBe(16);
    expect([...actors]).toEqual(['ada']);
  });

  it('are kept in the order of the commits of their rows while several write', async () => {
    await start({ machines: { updated: hears('updated') } });
    const id = await create('Lathe');
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask('PATCH', `/machines/${id}`, { name: `n${i}` })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await run();
    expect(heard.map(([, event]) => (event as { version: number }).version)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 2),
    );
  });

  it('that the handlers name and the contract lacks fail the start, all together', async () => {
    await start({});
    const wrong = {
      machine: { created: hears('x') },
      machines: { updated: { of: ['colour', 'name', 'size'], run: hears('x') } },
    };
    const starting = startService('workshop', database, { on: wrong } as unknown as AnyHandlers);
    await expect(starting).rejects.toThrow(
      /on\['machine'\]: the contract does not have this resource\s+on\['machines'\]\.updated\.of: Machine has no property "colour"\s+.*"size"/,
    );
    const misspelt = { machines: { create: hears('x'), updated: { run: hears('x') } } };
    const other = startService('workshop', database, { on: misspelt, jobs: [{ name: 'a' }] } as unknown as AnyHandlers);
    await expect(other).rejects.toThrow(
      /jobs\[0\] is not a job.*\s+.*on\.machines\.create is not one of created, updated, deleted\s+.*on\.machines\.updated is neither/,
    );
  });
});
