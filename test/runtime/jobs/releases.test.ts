import { afterEach, describe, expect, it } from 'vitest';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { AnyEventHandlers } from '../../../src/runtime/jobs/event-jobs.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import { UNKNOWN_JOB } from '../../../src/runtime/storage/claiming.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const ada = { sub: 'ada', scope: '', claims: { app: { tenant: '0199bd2f-7c00-7000-8000-0000000000b1' } } };
const START = Date.parse('2026-01-15T12:00:00Z');
const DAYS_MS = 14 * 24 * 3_600_000;

interface Server {
  readonly service: Service;
  readonly runner: JobRunner;
}

describe.each(databases)('servers of two releases on $name', (database) => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });
  let now = START;
  const ran: string[] = [];
  const hears =
    (what: string): NonNullable<AnyEventHandlers['created']> =>
    ({ row }) =>
      ran.push(`${what} ${(row as { name?: string }).name}`);
  const told = jobsOf<never>()<{ readonly id: string }>('told', { run: () => ran.push('told') });
  const older = { on: { machines: { created: hears('older created') } } };
  const newer = {
    jobs: [told],
    on: { machines: { created: hears('newer created'), deleted: hears('newer deleted') } },
    overrides: {
      machines: {
        async create(
          input: never,
          { send }: { send(job: unknown, input: object): Promise<void> },
          next: (input: never) => Promise<{ id: string }>,
        ) {
          const row = await next(input);
          await send(told, { id: row.id });
          return row;
        },
      },
    },
  };

  const serve = async (...released: readonly object[]): Promise<readonly Server[]> => {
    const { resources } = await contractOf('workshop');
    const shared = await database.share(released.map(() => resources));
    open.push(shared.close);
    now = START;
    ran.length = 0;
    const servers: Server[] = [];
    for (const [i, handlers] of released.entries()) {
      const kind = { name: '', open: async () => ({ store: shared.stores[i]!, close: async () => undefined }) };
      let runner: JobRunner | undefined;
      const service = await startService('workshop', kind, handlers as unknown as AnyHandlers, {
        clock: () => now,
        onJobs: (made) => {
          runner = made;
        },
      });
      open.push(service.close);
      servers.push({ service, runner: runner! });
    }
    return servers;
  };
  let made = 0;
  const create = async ({ service }: Server, name = 'Lathe'): Promise<string> => {
    const body = { code: `V${++made}`, name, state: 'IDLE' };
    const reply = await service.request('POST', '/v1/machines', { as: ada, body });
    expect(reply.status).toBe(201);
    return `/v1/machines/${reply.body.id}`;
  };

  it('leave to each other the jobs and the kinds of events that they do not know', async () => {
    const [first, second] = await serve(older, newer);
    const path = await create(second!);
    expect((await second!.service.request('DELETE', path, { as: ada })).status).toBe(204);
    await first!.runner.runDue();
    expect(ran).toEqual(['older created Lathe']);
    expect((await second!.runner.runDue()).failed).toEqual([]);
    expect(ran.toSorted()).toEqual(['newer deleted Lathe', 'older created Lathe', 'told']);
  });

  it('end what no server has known for 14 days, and delete it 14 days later', async () => {
    const [first, second] = await serve(older, newer);
    const path = await create(second!);
    expect((await second!.service.request('DELETE', path, { as: ada })).status).toBe(204);
    await first!.runner.runDue();
    const states = async () =>
      (await first!.service.store.jobs.list({})).map(({ name, state, error }) => [name, state, error]);
    now += DAYS_MS - 1;
    await first!.runner.runDue();
    expect((await states()).toSorted()).toEqual([
      ['on:machines', 'waiting', null],
      ['told', 'waiting', null],
    ]);
    now += 1;
    await first!.runner.runDue();
    expect((await states()).toSorted()).toEqual([
      ['on:machines', 'dead', UNKNOWN_JOB],
      ['told', 'dead', UNKNOWN_JOB],
    ]);
    now += DAYS_MS - 1;
    await first!.runner.runDue();
    expect(await states()).toHaveLength(2);
    now += 1;
    await first!.runner.runDue();
    expect(await states()).toEqual([]);
  });

  it('make jobs of events that they have no handler of, and none of what nobody handles', async () => {
    const [first, second] = await serve({ jobs: [told] }, older);
    await create(second!);
    await second!.service.request('POST', '/v1/standards', { as: ada, body: { name: 'ISO' } });
    await first!.runner.runDue();
    expect(await first!.service.store.jobs.list({})).toMatchObject([{ name: 'on:machines', state: 'waiting' }]);
    await second!.runner.runDue();
    expect(ran).toEqual(['older created Lathe']);
  });
});
