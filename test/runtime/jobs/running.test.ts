import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobContext, Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import type { Tables } from '../../../src/runtime/engine/interface/tables.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { JobLease } from '../../../src/runtime/storage/jobs.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const ada = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };
const START = Date.parse('2026-01-15T12:00:00Z');
const LEASE_MS = 30_000;
const RENEWED_MS = 10_000;
const LOOKED_MS = 1_000;
const SWEPT_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

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
  const started = async (atOnce = 1) => {
    const looked = Promise.withResolvers<void>();
    const queue = service.store.jobs;
    const claim = queue.claim.bind(queue);
    queue.claim = async (...args) => {
      const claimed = await claim(...args);
      looked.resolve();
      return claimed;
    };
    runner.start(atOnce);
    await looked.promise;
  };
  /** What is renewed when the time for that has come. */
  const renewed = async () => {
    const leases = Promise.withResolvers<readonly JobLease[]>();
    const queue = service.store.jobs;
    const renew = queue.renew.bind(queue);
    queue.renew = async (...args) => {
      const held = await renew(...args);
      leases.resolve(args[0]);
      return held;
    };
    now += RENEWED_MS;
    vi.advanceTimersByTime(RENEWED_MS);
    const given = await leases.promise;
    queue.renew = renew;
    await nextTurn();
    return given;
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
    await renewed();
    expect(await claim(LEASE_MS)).toEqual([]);
    const [taken] = await claim(RENEWED_MS + LEASE_MS);
    expect(taken).toMatchObject({ attempt: 2 });
    vi.advanceTimersByTime(RENEWED_MS);
    expect(String(await over.promise)).toContain('The job has passed to another run.');
    await runner.stop();
    expect(await service.store.jobs.list({ name: 'work' })).toMatchObject([
      { state: 'running', attempt: 2, error: null },
    ]);
  });

  it('are begun again by their own server when it was frozen, and the run before writes nothing more', async () => {
    await started(2);
    const runs: { readonly attempt: number; readonly signal: AbortSignal }[] = [];
    const gate = Promise.withResolvers<void>();
    code = (context) => {
      runs.push(context);
      return context.attempt === 1 ? ended(context.signal) : gate.promise;
    };
    await create('sends');
    await eventually(() => expect(runs).toHaveLength(1));
    now += LEASE_MS;
    vi.advanceTimersByTime(LOOKED_MS);
    await eventually(() => expect(runs).toHaveLength(2));
    expect(String(runs[0]!.signal.reason)).toContain('has passed to another run');
    for (let i = 0; i < 2; i++) expect((await renewed()).map(({ claims }) => claims)).toContain(2);
    expect(runs.map(({ attempt, signal }) => [attempt, signal.aborted])).toEqual([
      [1, true],
      [2, false],
    ]);
    gate.resolve();
    await eventually(async () => expect(await service.store.jobs.list({ name: 'work' })).toEqual([]));
  });

  it('go on behind the transaction that completes them', async () => {
    await started();
    const completed = Promise.withResolvers<AbortSignal>();
    const gate = Promise.withResolvers<void>();
    code = async ({ transaction, signal }) => {
      await transaction(async () => {}, { completes: true });
      completed.resolve(signal);
      await gate.promise;
    };
    await create('sends');
    const signal = await completed.promise;
    await renewed();
    expect(signal.aborted).toBe(false);
    gate.resolve();
  });

  it('end though this could not be written at first, and are renewed until then', async () => {
    await started();
    const queue = service.store.jobs;
    const claim = queue.claim.bind(queue);
    const end = queue.end.bind(queue);
    const refused = Promise.withResolvers<void>();
    queue.end = async () => {
      refused.resolve();
      throw new Error('locked');
    };
    queue.claim = (request, ...args) =>
      request.ended?.length === 0 ? claim(request, ...args) : (queue.end([]) as never);
    code = ({ giveUp }) => {
      throw giveUp('no more');
    };
    await create('sends');
    await refused.promise;
    expect(await renewed()).toMatchObject([{ claims: 1 }]);
    Object.assign(queue, { claim, end });
    vi.advanceTimersByTime(LOOKED_MS);
    await eventually(async () =>
      expect(await queue.list({ name: 'work' })).toMatchObject([{ state: 'dead', attempt: 1 }]),
    );
  });

  it('of others are looked for each second, also where a look is under way at each', async () => {
    await started();
    const queue = service.store.jobs;
    const claim = queue.claim.bind(queue);
    const [looking, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const next = Promise.withResolvers<boolean>();
    queue.claim = async (request, ...args) => {
      queue.claim = ({ isThorough }) => {
        next.resolve(isThorough);
        return Promise.resolve([]);
      };
      looking.resolve();
      await gate.promise;
      return claim(request, ...args);
    };
    runner.onSent();
    await looking.promise;
    vi.advanceTimersByTime(LOOKED_MS);
    gate.resolve();
    expect(await next.promise).toBe(true);
  });

  it('of code that is gone are dead after 14 days, also where a server has no jobs at all', async () => {
    const sent = { key: null, tenant: '', input: '{}', subject: null, requestId: 'r', depth: 0, runAt: undefined };
    let bare: JobRunner | undefined;
    const other = await startService(
      'workshop',
      database,
      {},
      {
        clock: () => now,
        onJobs: (made) => {
          bare = made;
        },
      },
    );
    try {
      const { store } = other;
      await store.transaction(({ jobs }) => jobs.send({ ...sent, name: 'gone' }, false, START), 'serial');
      bare!.start(1);
      now += 14 * DAY_MS;
      vi.advanceTimersByTime(SWEPT_MS);
      await eventually(async () => expect(await store.jobs.list({})).toMatchObject([{ name: 'gone', state: 'dead' }]));
      expect(await bare!.counts()).toMatchObject({ dead: 1 });
    } finally {
      await other.close();
    }
  });

  it('are told that `store` only reads where they write by it', async () => {
    const errors: unknown[] = [];
    code = async ({ store }) => {
      const body = { code: 'R', name: 'Lathe', state: 'IDLE' } as never;
      await store.machines.create(body).catch((error: unknown) => errors.push(error));
      await store
        .forTenant(BERLIN)
        .machines.create(body)
        .catch((error: unknown) => errors.push(error));
    };
    await create('sends');
    expect((await runner.runDue()).failed).toEqual([]);
    expect(errors.map(String)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('`store` only reads')));
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
