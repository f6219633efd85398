import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobContext, Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import type { Tables } from '../../../src/runtime/engine/interface/tables.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const ada = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };
const START = Date.parse('2026-01-15T12:00:00Z');
const LEASE_MS = 30_000;
const RENEWED_MS = 10_000;

type Context = Omit<JobContext<unknown>, 'store'> & {
  readonly store: Tables<{ machines: ResourceTypes & { readonly tenant: string } }>;
};

describe.each(databases)('running jobs on $name', (database) => {
  let service: Service;
  let runner: JobRunner;
  let now = START;
  let code: (context: Context) => unknown;
  let heard = Promise.withResolvers<void>();
  const work = jobsOf<never>()<object>('work', {
    timeoutMs: 300_000,
    run: (_input, context) => code(context as unknown as Context),
  });
  const brief = jobsOf<never>()<object>('brief', { timeoutMs: 20, run: () => new Promise(() => {}) });

  /** Nothing looks for jobs each second, and nothing is renewed, unless a test says so. */
  beforeEach(async () => {
    now = START;
    heard = Promise.withResolvers();
    code = () => undefined;
    const create = async (input: { readonly name: string }, { send }: Sending, next: (input: object) => unknown) => {
      if (input.name !== 'silent') await send(input.name === 'brief' ? brief : work, {});
      return next(input);
    };
    const created = ({ row }: { readonly row: { readonly name: string } }) => {
      if (row.name === 'silent') heard.resolve();
    };
    const handlers = { jobs: [work, brief], on: { machines: { created } }, overrides: { machines: { create } } };
    service = await startService('workshop', database, handlers as unknown as AnyHandlers, {
      clock: () => now,
      onJobs: (made) => {
        runner = made;
      },
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(async () => {
    await service.close();
    vi.useRealTimers();
  });

  let made = 0;
  const create = async (name: string) => {
    const body = { code: `R${++made}`, name, state: 'IDLE' };
    expect((await service.request('POST', '/v1/machines', { as: ada, body })).status).toBe(201);
  };
  /** Resolves when the first look has ended. */
  const started = async () => {
    const looked = Promise.withResolvers<void>();
    const queue = service.store.jobs;
    const claim = queue.claim.bind(queue);
    queue.claim = async (...args) => {
      const claimed = await claim(...args);
      looked.resolve();
      return claimed;
    };
    runner.start(1);
    await looked.promise;
  };
  const claim = (ms: number) => service.store.jobs.claim({ names: ['work'], limit: 1, isThorough: true }, START + ms);
  const ended = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('begin as soon as what sends them, or the change that they handle, is committed', async () => {
    await started();
    const ran = Promise.withResolvers<void>();
    code = () => ran.resolve();
    await create('sends');
    await ran.promise;
    await create('silent');
    await heard.promise;
  });

  it('are renewed while they run, and given back by a server that has lost them', async () => {
    await started();
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    code = ({ signal }) => {
      begun.resolve();
      return ended(signal).catch((error: unknown) => {
        over.resolve(error);
        throw error;
      });
    };
    await create('sends');
    await begun.promise;
    const queue = service.store.jobs;
    const renewed = Promise.withResolvers<unknown>();
    const renew = queue.renew.bind(queue);
    queue.renew = async (...args) => {
      const held = await renew(...args);
      renewed.resolve(held);
      return held;
    };
    now += RENEWED_MS;
    vi.advanceTimersByTime(RENEWED_MS);
    await renewed.promise;
    expect(await claim(LEASE_MS)).toEqual([]);
    const [taken] = await claim(RENEWED_MS + LEASE_MS);
    expect(taken).toMatchObject({ attempt: 2 });
    vi.advanceTimersByTime(RENEWED_MS);
    expect(String(await over.promise)).toContain('The job has passed to another server.');
    await runner.stop();
    expect(await service.store.jobs.list({ name: 'work' })).toMatchObject([
      { state: 'running', attempt: 2, error: null },
    ]);
  });

  it('whose time is over leave their place to others', async () => {
    await started();
    const ran = Promise.withResolvers<void>();
    code = () => ran.resolve();
    await create('brief');
    await create('sends');
    await ran.promise;
    expect(await service.store.jobs.list({ name: 'brief' })).toMatchObject([{ state: 'waiting', attempt: 1 }]);
  });

  it('read what the database itself has, and no replica', async () => {
    const counts: unknown[] = [];
    code = async ({ store }) => {
      const { machines } = store;
      counts.push(await machines.count(), await store.forTenant(BERLIN).machines.count());
      counts.push(await store.acrossTenants.machines.count());
    };
    await create('sends');
    service.store.reads = () => {
      throw new Error('a replica');
    };
    expect((await runner.runDue()).failed).toEqual([]);
    expect(counts).toEqual([1, 1, 1]);
  });
});
