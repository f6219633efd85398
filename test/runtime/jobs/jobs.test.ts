import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Job, JobContext, Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import type { Tables } from '../../../src/runtime/engine/interface/tables.ts';
import type { AnyResources } from '../../../src/runtime/engine/interface/untyped.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const PARIS = '0199bd2f-7c00-7000-8000-0000000000b2';
const ada = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };
const START = Date.parse('2026-01-15T12:00:00Z');
const HOUR_MS = 3_600_000;

interface Input {
  readonly id: string;
  readonly how?: unknown;
}
type Context = JobContext<AnyResources>;
type Code = (input: Input, context: Context) => unknown;
type Next = (input: unknown) => Promise<{ readonly id: string }>;
type Sender = (context: Sending, machine: { readonly id: string; readonly code: string }) => unknown;

const job = jobsOf<AnyResources>();

describe.each(databases)('jobs on $name', (database) => {
  let service: Service;
  let runner: JobRunner;
  let now = START;
  const lines: { readonly level: string; readonly fields: object; readonly message: string | undefined }[] = [];
  const log = (level: string) => (fields: object, message?: string) => void lines.push({ level, fields, message });
  let code: Code = () => undefined;
  let sender: Sender = (context, { id }) => context.send(greet, { id });
  const greet = job<Input>('greet', {
    key: ({ id }) => id,
    attempts: 3,
    timeoutMs: 60_000,
    run: (input, context) => code(input, context),
  });
  const everywhere = (store: Context['store']) =>
    (store as unknown as Tables<{ machines: ResourceTypes & { tenant: string } }>).acrossTenants.machines;
  const count = job('count', { run: (_input, { store }) => store['machines']!.count() });
  const strict = job<{ readonly n: number }>('strict', {
    parse: (input) => {
      const { n } = input as { readonly n: unknown };
      if (typeof n !== 'number') throw new TypeError('n is not a number');
      return { n: n + 1 };
    },
    run: ({ n }, context) => code({ id: 'strict', how: n }, context),
  });
  const stranger = job<Input>('stranger', { run: () => undefined });

  const start = async (jobs: readonly Job<never>[] = [greet, count, strict], more: object = {}): Promise<void> => {
    now = START;
    lines.length = 0;
    const create = async (input: never, context: Sending, next: Next) => {
      const made = await next(input);
      await sender(context, made as never);
      return made;
    };
    const update = create;
    const list = async (query: never, context: Sending, next: Next) => {
      await sender(context, { id: 'listed', code: 'A' });
      return next(query);
    };
    const logged = { info: log('info'), warn: log('warn'), error: log('error'), child: () => logged };
    const overrides = { machines: { create, update }, workers: { list } };
    const handlers = { overrides, jobs, ...more } as unknown as AnyHandlers;
    service = await startService('workshop', database, handlers, {
      clock: () => now,
      http: { log: logged as never },
      onJobs: (made) => {
        runner = made;
      },
    });
    code = () => undefined;
    sender = (context, { id }) => context.send(greet, { id });
  };
  afterEach(() => service.close());

  let made = 0;
  const body = () => ({ code: `M${++made}`, name: 'Lathe', state: 'IDLE' });
  const create = (as: object = ada) => service.request('POST', '/v1/machines', { as, body: body() });
  const notesOf = async (id: string) =>
    (await service.request('GET', `/v1/machines/${id}/notes`, { as: ada })).body.data.map(
      ({ text }: { text: string }) => text,
    );
  const note =
    (text: string, completes = false): Code =>
    ({ id }, { transaction }) =>
      transaction(({ store }) => store['machines.notes']!.create({ machineId: id, text }), { completes });
  const warnings = () => lines.filter(({ level }) => level !== 'info');

  it('run after the commit of what sends them, over each protocol, with the rows of its tenant', async () => {
    await start();
    const seen: object[] = [];
    code = async ({ id }, { attempt, now: at, store, id: job, signal }) => {
      const machine = await store['machines']!.get(id);
      seen.push({
        machine: (machine as { tenantId?: unknown } | undefined)?.tenantId,
        attempt,
        at,
        job,
        isOver: signal.aborted,
        all: await store['machines']!.count(),
      });
    };
    await create();
    const mutation = 'mutation ($input: MachineInput!) { createMachine(input: $input) { id } }';
    const { errors } = await service.graphql(mutation, { as: ada, variables: { input: body() } });
    expect(errors).toBeUndefined();
    expect(seen).toEqual([]);
    const { ran, failed } = await runner.runDue();
    expect([ran, failed]).toEqual([
      [
        { id: expect.any(String), name: 'greet', attempt: 1 },
        { id: expect.any(String), name: 'greet', attempt: 1 },
      ],
      [],
    ]);
    const run = { machine: BERLIN, attempt: 1, at: new Date(START), isOver: false, all: 2 };
    expect(seen).toEqual([
      { ...run, job: ran[0]!.id },
      { ...run, job: ran[1]!.id },
    ]);
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it('are not sent by what fails', async () => {
    await start();
    sender = async (context, { id }) => {
      await context.send(greet, { id });
      throw new ApiError('CONFLICT', { detail: 'no' });
    };
    expect((await create()).status).toBe(409);
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it('have their sender as the one who writes, without its scopes, and write in transactions', async () => {
    await start();
    code = note('hello');
    const { id } = (await create()).body;
    expect((await runner.runDue()).failed).toEqual([]);
    expect(await notesOf(id)).toEqual(['hello']);
    code = async (_input, { store, transaction }) => {
      expect('asCaller' in (await transaction(async (context) => context))).toBe(false);
      await store['machines']!.update(id, { name: 'Mill' });
    };
    await create();
    const { failed } = await runner.runDue();
    expect(String(failed[0]!.error)).toContain('`store` only reads');
  });

  it('are tried again after 10 s, 30 s and so on, their keys wait, and are dead after the last attempt', async () => {
    await start();
    const ran: string[] = [];
    code = ({ how }, { attempt }) => {
      ran.push(`${how} ${attempt}`);
      if (how === 'a') throw new Error('no');
    };
    sender = async (context, { id }) => {
      for (const how of ['a', 'b']) await context.send(greet, { id, how });
    };
    await create();
    await runner.runDue();
    now += 8_900;
    await runner.runDue();
    expect(ran).toEqual(['a 1']);
    now += 2_200;
    await runner.runDue();
    now += 26_900;
    await runner.runDue();
    expect(ran).toEqual(['a 1', 'a 2']);
    now += 6_200;
    const { failed } = await runner.runDue();
    expect(ran).toEqual(['a 1', 'a 2', 'a 3', 'b 1']);
    expect(failed).toMatchObject([{ name: 'greet', attempt: 3, error: { message: 'no' } }]);
    expect(warnings()).toMatchObject([
      { level: 'warn', message: 'job failed', fields: { job: 'greet', jobId: expect.any(String), attempt: 1 } },
      { level: 'warn', message: 'job failed', fields: { attempt: 2 } },
      { level: 'error', message: 'job is dead', fields: { attempt: 3 } },
    ]);
    now += 14 * 24 * HOUR_MS;
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it('of ten attempts are tried for about a day', async () => {
    const often = job('often', {
      run: () => {
        throw new Error('no');
      },
    });
    await start([often]);
    sender = (context) => context.send(often, {});
    await create();
    let attempts = 0;
    while (!warnings().some(({ level }) => level === 'error')) {
      attempts += (await runner.runDue()).failed.length;
      now += 60_000;
    }
    expect(attempts).toBe(10);
    expect((now - START) / HOUR_MS).toBeGreaterThan(18);
    expect((now - START) / HOUR_MS).toBeLessThan(25);
  });

  it('say when they are tried again, and that they are not', async () => {
    await start();
    code = (_input, { retryAfter }) => {
      throw retryAfter(5_000);
    };
    await create();
    await runner.runDue();
    now += 4_999;
    expect((await runner.runDue()).failed).toEqual([]);
    now += 1;
    code = (_input, { giveUp }) => {
      throw giveUp('gone');
    };
    expect((await runner.runDue()).failed).toMatchObject([{ attempt: 2, error: { message: 'gone' } }]);
    now += HOUR_MS;
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('that say %s have failed, and are tried again', async (ms) => {
    await start();
    code = (_input, { retryAfter }) => {
      throw retryAfter(ms);
    };
    await create();
    expect((await runner.runDue()).failed).toMatchObject([{ error: { message: /^retryAfter\(.*\): write a number/ } }]);
    now += 11_000;
    expect((await runner.runDue()).failed).toHaveLength(1);
  });

  it('fail where a transaction is within another one, and may have several side by side', async () => {
    await start();
    code = (input, context) => context.transaction(async () => note('inner')(input, context));
    const { id } = (await create()).body;
    const { failed } = await runner.runDue();
    expect(failed).toMatchObject([{ error: { message: /^A transaction does not run within another one/ } }]);
    expect((failed[0]!.error as Error).stack).toContain('jobs.test.ts');
    code = async (input, context) => {
      await Promise.all(['a', 'b'].map((text) => note(text)(input, context)));
      let late: Promise<unknown> = Promise.resolve();
      const gate = Promise.withResolvers<void>();
      await context.transaction(async () => {
        late = gate.promise.then(() => note('c')(input, context));
      });
      gate.resolve();
      await late;
    };
    now += HOUR_MS;
    expect((await runner.runDue()).failed).toEqual([]);
    expect((await notesOf(id)).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('whose time is over have failed, and write nothing more', async () => {
    const [over, late] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const slow = job<Input>('slow', {
      timeoutMs: 20,
      run: async (input, context) => {
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        await over.promise;
        await Promise.resolve(note('late')(input, context)).then(late.resolve, late.reject);
      },
    });
    await start([slow]);
    sender = (context, { id }) => context.send(slow, { id });
    const { id } = (await create()).body;
    const { failed } = await runner.runDue();
    over.resolve();
    expect(failed).toMatchObject([{ error: { message: 'It has not ended within 20 ms.' } }]);
    expect(warnings()).toContainEqual({
      level: 'warn',
      fields: expect.objectContaining({ job: 'slow', why: 'It has not ended within 20 ms.' }),
      message: 'a job goes on though its run has ended',
    });
    await expect(late.promise).rejects.toThrow('has passed to another run');
    expect(await notesOf(id)).toEqual([]);
  });

  it('whose time is over in a transaction keep no other waiting, and write nothing more', async () => {
    const [over, late] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const slow = job<Input>('slow', {
      timeoutMs: 100,
      run: ({ id }, { transaction, signal }) =>
        transaction(async ({ store }) => {
          const write = (text: string) => store['machines.notes']!.create({ machineId: id, text });
          signal.addEventListener('abort', () => void write('under way').catch(() => undefined));
          await write('early');
          await over.promise;
          await write('late').then(late.resolve, late.reject);
        }),
    });
    await start([slow]);
    sender = (context, { id }) => context.send(slow, { id });
    const { id } = (await create()).body;
    expect((await runner.runDue()).failed).toMatchObject([{ error: { message: 'It has not ended within 100 ms.' } }]);
    expect(await service.store.jobs.list({})).toMatchObject([{ state: 'waiting', attempt: 1 }]);
    expect((await create()).status).toBe(201);
    over.resolve();
    await expect(late.promise).rejects.toThrow('The transaction has ended.');
    expect(await notesOf(id)).toEqual([]);
  });

  it('fail by what they throw, even if that is undefined', async () => {
    await start();
    code = () => {
      throw undefined;
    };
    await create();
    expect((await runner.runDue()).failed).toMatchObject([{ name: 'greet', error: undefined }]);
    expect(warnings()).toMatchObject([{ message: 'job failed' }]);
  });

  it('that another server has taken meanwhile write nothing', async () => {
    await start();
    code = async (input, context) => {
      now += 30_000;
      const [taken] = await service.store.jobs.claim({ names: ['greet'], limit: 1, isThorough: true }, now);
      expect(taken?.id).toBe(context.id);
      await note('twice')(input, context);
    };
    const { id } = (await create()).body;
    expect((await runner.runDue()).failed).toMatchObject([{ error: { message: /has passed/ } }]);
    expect(await notesOf(id)).toEqual([]);
  });

  it('end with the transaction that completes them', async () => {
    await start();
    code = async (input, context) => {
      await note('once', true)(input, context);
      throw new Error('too late');
    };
    const { id } = (await create()).body;
    expect((await runner.runDue()).failed).toMatchObject([{ error: { message: 'too late' } }]);
    expect(warnings()).toMatchObject([{ message: 'job failed after the transaction that completes it' }]);
    now += HOUR_MS;
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
    expect(await notesOf(id)).toEqual(['once']);
  });

  it('write nothing behind the transaction that completes them', async () => {
    await start();
    code = async (input, context) => {
      await note('once', true)(input, context);
      await note('again')(input, context);
    };
    const { id } = (await create()).body;
    expect((await runner.runDue()).failed).toMatchObject([{ error: { message: /has ended or has passed/ } }]);
    expect(await notesOf(id)).toEqual(['once']);
  });

  it('get what `parse` makes of their input', async () => {
    await start();
    const seen: unknown[] = [];
    code = ({ how }) => seen.push(how);
    sender = (context) => context.send(strict, { n: 1 });
    await create();
    expect((await runner.runDue()).failed).toEqual([]);
    expect(seen).toEqual([2]);
  });

  it('whose server has ended in the last attempt are dead', async () => {
    await start();
    await create();
    for (let i = 0; i < 3; i++) {
      const [taken] = await service.store.jobs.claim({ names: ['greet'], limit: 1, isThorough: true }, now);
      expect(taken).toMatchObject({ attempt: i + 1 });
      now += 30_000;
    }
    expect((await runner.runDue()).failed).toMatchObject([
      { attempt: 4, error: { message: 'Its server has ended during attempt 3, the last one.' } },
    ]);
    expect(await service.store.jobs.list({})).toMatchObject([{ state: 'dead' }]);
  });

  it('are sent in transactions of replaced routes and resolvers, and not outside of them', async () => {
    type Replaced = Sending & { transaction(work: (context: Sending) => unknown): Promise<unknown> };
    let depth = 1;
    const send = async (context: Replaced, levels = depth): Promise<unknown> =>
      levels === 0
        ? context.send(count, {})
        : context.transaction((within) => (levels === 1 ? within.send(count, {}) : send(context, levels - 1)));
    const routes = {
      async getMachine(request: unknown, context: Replaced, next: (request: unknown) => unknown) {
        await send(context);
        return next(request);
      },
    };
    const resolvers = {
      Query: {
        machine: async (_parent: unknown, _args: unknown, context: Replaced) => {
          await send(context);
          return null;
        },
      },
    };
    await start([count], { routes, resolvers, overrides: {} });
    const { id } = (await create()).body;
    const rest = () => service.request('GET', `/v1/machines/${id}`, { as: ada });
    const graphql = () =>
      service.graphql('query ($id: ID!) { machine(id: $id) { id } }', { as: ada, variables: { id } });
    expect((await rest()).status).toBe(200);
    expect((await graphql()).errors).toBeUndefined();
    expect((await runner.runDue()).ran).toHaveLength(2);
    for (depth of [0, 2]) {
      expect((await rest()).status).toBe(500);
      expect((await graphql()).errors).toMatchObject([{ extensions: { code: 'INTERNAL_ERROR' } }]);
    }
    expect(warnings().at(-1)).toMatchObject({ fields: { err: { message: /within another one/ } } });
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it('send others from their transactions', async () => {
    await start();
    code = (_input, { transaction }) => transaction(({ send }) => send(count, {}));
    await create();
    expect((await runner.runDue()).ran.map(({ name }) => name)).toEqual(['greet', 'count']);
  });

  it('run when it is time, and replace those of their key that have not begun', async () => {
    await start();
    const ran: unknown[] = [];
    code = ({ how }) => ran.push(how);
    sender = async (context) => {
      const at = new Date(now + 1_000);
      for (const how of [1, 2, 3]) await context.send(greet, { id: 'k', how }, { at, replace: true });
    };
    await create();
    await runner.runDue();
    expect(ran).toEqual([]);
    now += 1_000;
    await runner.runDue();
    expect(ran).toEqual([3]);
  });

  it('are of the tenant that their sender names, or of none', async () => {
    await start();
    const counts: unknown[] = [];
    code = async ({ how }, { store }) => {
      counts.push([how, await store['machines']!.count(), await everywhere(store).count()]);
    };
    await create();
    sender = async (context) => {
      await context.send(greet, { id: 'k', how: 'own' });
      await context.send(greet, { id: 'k', how: 'paris' }, { tenant: PARIS });
    };
    const list = () => service.request('GET', '/v1/machines', { as: ada });
    expect((await list()).status).toBe(200);
    await create();
    await runner.runDue();
    expect(counts).toEqual([
      [undefined, 2, 2],
      ['own', 2, 2],
      ['paris', 0, 2],
    ]);
  });

  it.each<readonly [string, RegExp, Sender]>([
    [
      'is not JSON',
      /the input\.how is of the class Date, which is not JSON/,
      (to, { id }) => to.send(greet, { id, how: new Date() }),
    ],
    [
      'has a list that is not',
      /the input\.how\[1\] is undefined/,
      (to, { id }) => to.send(greet, { id, how: [1, undefined] }),
    ],
    ['has a number that is not', /the input\.how is NaN/, (to, { id }) => to.send(greet, { id, how: Number.NaN })],
    [
      'has more than 64 KiB',
      /the input has 655\d\d bytes; 65,536 is the most/,
      (to, { id }) => to.send(greet, { id, how: 'x'.repeat(65_500) }),
    ],
    ['is of a job that the server lacks', /`handlers.jobs` lacks this job/, (to, { id }) => to.send(stranger, { id })],
    ['is at no time', /`at` is not a time/, (to, { id }) => to.send(greet, { id }, { at: new Date('x') })],
    [
      'is at a text',
      /`at` is not a time: give it a Date/,
      (to, { id }) => to.send(greet, { id }, { at: '2026-01-16T12:00:00Z' as never }),
    ],
    ['is refused by `parse`', /n is not a number/, (to) => to.send(strict, { n: '1' as never })],
    ['replaces without a key', /`replace` is by the key/, (to) => to.send(count, {}, { replace: true })],
    ['has no text as its key', /its key is not a text/, (to) => to.send(greet, { id: 7 as never })],
    ['has a tenant that cannot be one', /send\("x"\)/, (to, { id }) => to.send(greet, { id }, { tenant: 'x' })],
    [
      'is the 1,001st',
      /a transaction sends 1000 jobs at most/,
      async (to) => {
        for (let i = 0; i <= 1_000; i++) await to.send(count, {});
      },
    ],
    [
      'is the 1,001st side by side',
      /a transaction sends 1000 jobs at most/,
      (to) => Promise.all(Array.from({ length: 1_001 }, () => to.send(count, {}))),
    ],
  ])('whose sending %s fail there, and nothing is committed', async (_what, why, sends) => {
    await start();
    sender = sends;
    expect(await create()).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    const [line] = warnings() as unknown as [{ readonly fields: { readonly err: Error } }];
    expect(line.fields.err.message).toMatch(why);
    expect(line.fields.err.stack).toContain('jobs.test.ts');
    expect((await service.request('GET', '/v1/machines', { as: ada })).body.data).toEqual([]);
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
  });

  it('are not sent by what only reads', async () => {
    await start();
    expect((await service.request('GET', '/v1/workers', { as: ada })).status).toBe(500);
    expect(JSON.stringify(warnings().map(({ fields }) => String((fields as { err: unknown }).err)))).toContain(
      'sends no jobs',
    );
  });

  it('run by themselves once they are started, and no more than so many at once', async () => {
    await start();
    let [running, most, all] = [0, 0, 0];
    const gate = Promise.withResolvers<void>();
    code = async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
      all++;
    };
    runner.start(2);
    for (let i = 0; i < 5; i++) await create();
    await eventually(() => expect(most).toBe(2));
    gate.resolve();
    await eventually(() => expect(all).toBe(5));
    expect(most).toBe(2);
  });

  it('begin though events cannot be taken', async () => {
    await start();
    service.store.jobs.takeEvents = () => Promise.reject(new Error('too large'));
    const begun = Promise.withResolvers<void>();
    code = () => begun.resolve();
    await create();
    runner.start(1);
    await begun.promise;
  });

  it.each([Object.create(null), { toString: () => JSON.parse('{') }])(
    'fail with whatever their code throws, also with what has no text (%#)',
    async (thrown) => {
      await start();
      code = () => {
        throw thrown;
      };
      await create();
      expect((await runner.runDue()).failed).toHaveLength(1);
      expect(await service.store.jobs.list({})).toMatchObject([
        { state: 'waiting', attempt: 1, error: 'Error: The code has thrown a value that has no text.' },
      ]);
    },
  );

  it('begin between events, however many of these wait', async () => {
    await start();
    service.store.jobs.takeEvents = async () => {
      await nextTurn();
      return true;
    };
    const begun = Promise.withResolvers<void>();
    code = () => begun.resolve();
    await create();
    runner.start(1);
    await begun.promise;
  });

  it('are sent while they are held, and run once they are released', async () => {
    await start();
    const done = Promise.withResolvers<void>();
    code = () => done.resolve();
    await service.store.jobs.hold();
    expect((await create()).status).toBe(201);
    expect(await runner.runDue()).toEqual({ ran: [], failed: [] });
    expect(await service.store.jobs.list({})).toMatchObject([{ name: 'greet', state: 'held', attempt: 0 }]);
    runner.start(1);
    await eventually(() => expect(warnings()).toMatchObject([{ level: 'warn', message: /^jobs are held/ }]));
    await service.store.jobs.release();
    await done.promise;
  });

  it('hold up no write while they run, however long', async () => {
    await start();
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    code = async ({ id }, { transaction }) => {
      await transaction(({ store }) => store['machines.notes']!.create({ machineId: id, text: 'begun' }));
      begun.resolve();
      await gate.promise;
    };
    runner.start(1);
    const { body: machine } = await create();
    await begun.promise;
    now += 29_000;
    for (let i = 0; i < 5; i++) expect((await create()).status).toBe(201);
    expect(await notesOf(machine.id)).toEqual(['begun']);
    gate.resolve();
  });

  it('end while a look takes long', async () => {
    await start();
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [looking, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    code = () => {
      begun.resolve();
      return gate.promise;
    };
    runner.start(2);
    await create();
    await begun.promise;
    service.store.jobs.takeEvents = () => {
      looking.resolve();
      return taken.promise;
    };
    try {
      await looking.promise;
      gate.resolve();
      await eventually(async () => expect(await service.store.jobs.list({})).toEqual([]));
    } finally {
      taken.resolve(false);
    }
  });

  it('that have ended when the server stops do not run again', async () => {
    await start();
    const ran = Promise.withResolvers<void>();
    code = () => ran.resolve();
    runner.start(1);
    await create();
    await ran.promise;
    // The run ends, and this is written with the next turn of the event loop.
    for (let i = 0; i < 50; i++) await null;
    await runner.stop();
    expect(await service.store.jobs.list({})).toEqual([]);
  });

  it('that run when the server stops are given back, and do not count', async () => {
    await start();
    const begun = Promise.withResolvers<void>();
    code = async (_input, { signal }) => {
      begun.resolve();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    runner.start(1);
    await create();
    await begun.promise;
    await runner.stop();
    code = () => undefined;
    expect((await runner.runDue()).ran).toMatchObject([{ name: 'greet', attempt: 1 }]);
  });
});
