import { afterEach, describe, expect, it } from 'vitest';
import type { AnyResources } from '../../../src/runtime/engine/interface/untyped.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { Schedules } from '../../../src/runtime/jobs/schedules.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { type DatabaseKind, databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const START = Date.parse('2026-01-15T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

const job = jobsOf<AnyResources>();

describe.each(databases)('schedules on $name', (database) => {
  const open: (() => Promise<void>)[] = [];
  let service: Service;
  let runner: JobRunner;
  let now = START;
  const ran: unknown[] = [];
  let code: (...args: Parameters<Parameters<typeof job>[1]['run']>) => unknown = () => undefined;
  const report = job('report', { run: (input, context) => code(input, context) });

  const serve = async (handlers: object, kind: DatabaseKind = database): Promise<JobRunner> => {
    let made: JobRunner | undefined;
    service = await startService('workshop', kind, handlers as AnyHandlers, {
      clock: () => now,
      onJobs: (jobs) => {
        made = jobs;
      },
    });
    open.push(service.close);
    return made!;
  };
  const start = async (schedule: Partial<Schedules[string]>, at = '2026-01-15T12:00:00Z') => {
    now = Date.parse(at);
    ran.length = 0;
    code = (_input, { now }) => ran.push(now.toISOString());
    runner = await serve({ jobs: [report], schedules: { nightly: { cron: '0 3 * * *', job: report, ...schedule } } });
  };
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  const runAt = async (...times: readonly string[]): Promise<readonly number[]> => {
    const counts: number[] = [];
    for (const time of times) {
      now = Date.parse(time);
      const { ran, failed } = await runner.runDue();
      counts.push(ran.length + failed.length);
    }
    return counts;
  };

  it('send a job when it is time, once, and by UTC unless they have a zone', async () => {
    await start({});
    expect(
      await runAt('2026-01-16T02:59:59.999Z', '2026-01-16T03:00:00Z', '2026-01-16T03:00:01Z', '2026-01-17T03:00:00Z'),
    ).toEqual([0, 1, 0, 1]);
  });

  it('go by the hours of their zone, also when its clocks are changed', async () => {
    await start({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
    // On 29 March, 2:30 is left out: the time is 3:00. On 25 October, it comes twice.
    const times = ['2026-03-28T01:30:00Z', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-30T00:29:59Z'];
    expect(await runAt(...times, '2026-03-30T00:30:00Z')).toEqual([1, 0, 1, 0, 1]);
    const twice = ['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'];
    expect(await runAt(...twice)).toEqual([1, 1, 0, 1]);
  });

  it('send jobs with an empty input, of no tenant, under the name of the schedule', async () => {
    await start({});
    let seen: unknown;
    code = (input, { log, ...context }) => {
      seen = [input, context.attempt];
      throw context.giveUp('no');
    };
    await runAt('2026-01-16T03:00:00Z');
    expect(seen).toEqual([{}, 1]);
    const [dead] = await service.store.jobs.list({ name: 'report' });
    expect(await service.store.jobs.show(dead?.id ?? '')).toMatchObject({
      ...{ key: 'nightly', tenant: '', subject: null, requestId: 'schedule nightly', input: '{}', state: 'dead' },
    });
  });

  it('leave a time out while the job before has not ended', async () => {
    await start({ cron: '* * * * *' });
    let isFailing = true;
    code = (_input, { retryAfter, attempt }) => {
      if (isFailing && attempt < 3) throw retryAfter(2.5 * MINUTE_MS);
    };
    const times = Array.from({ length: 8 }, (_, i) => new Date(START + (i + 1) * MINUTE_MS).toISOString());
    // Tries at 1, 4 and 7: then it has ended.
    expect(await runAt(...times.slice(0, 7))).toEqual([1, 0, 0, 1, 0, 0, 1]);
    isFailing = false;
    expect(await runAt(...times.slice(7))).toEqual([1]);
  });

  it('that were missed send one job, or none', async () => {
    await start({});
    expect(await runAt('2026-01-20T11:00:00Z', '2026-01-20T12:00:00Z', '2026-01-21T03:00:00Z')).toEqual([1, 0, 1]);
    await start({ missed: 'skip' });
    expect(await runAt('2026-01-20T11:00:00Z', '2026-01-21T03:00:59Z', '2026-01-22T03:01:00Z')).toEqual([0, 1, 0]);
  });

  it('send one job over all servers, also when they look at the same time', async () => {
    const { resources } = await contractOf('workshop');
    const shared = await database.share([resources, resources]);
    open.push(shared.close);
    now = START;
    let count = 0;
    code = () => count++;
    const handlers = { jobs: [report], schedules: { nightly: { cron: '0 3 * * *', job: report } } };
    const runners: JobRunner[] = [];
    for (const store of shared.stores)
      runners.push(await serve(handlers, { name: '', open: async () => ({ store, close: async () => undefined }) }));
    for (let day = 1; day <= 5; day++) {
      now = START + day * DAY_MS;
      await Promise.all(runners.map((one) => one.runDue()));
    }
    expect(count).toBe(5);
  });

  it('send jobs by themselves once a server is started', async () => {
    await start({});
    runner.start(1);
    now = Date.parse('2026-01-16T03:00:00Z');
    await eventually(() => expect(ran).toEqual(['2026-01-16T03:00:00.000Z']));
  });

  it('go by the time of the database without another', async () => {
    await start({});
    const { jobs } = service.store;
    const [{ last, now: at } = { last: 0, now: 0 }] = await jobs.lastTicks(['hourly']);
    expect([last, Math.abs(at - Date.now()) < MINUTE_MS]).toEqual([undefined, true]);
    await jobs.tick({ schedule: 'hourly', last, at, sends: { name: 'report', key: 'k' } });
    expect(await jobs.list({})).toMatchObject([
      { name: 'report', key: 'k', runAt: expect.toSatisfy((ms) => ms >= at) },
    ]);
  });
});

it('schedules that cannot be kept fail the start, together with all other faults of handlers', async () => {
  const run = () => undefined;
  const keyed = job<{ readonly id: string }>('keyed', { key: ({ id }) => id.trim(), run });
  // @ts-expect-error: it requires an input
  const input: Schedules[string] = { cron: '@daily', job: keyed };
  const [listed, unlisted] = [job('listed', { run }), job('unlisted', { run })];
  const schedules = {
    ...{ words: { cron: 'daily', job: listed }, fields: { cron: '0 3 * *', job: listed } },
    ...{ seconds: { cron: '0 0 3 * * *', job: listed }, minute: { cron: '61 * * * *', job: listed } },
    ...{ never: { cron: '0 3 30 2 *', job: listed }, date: { cron: '2030-01-01T00:00:00', job: listed } },
    ...{ zone: { cron: '@daily', timeZone: 'Europe/Berln', job: listed } },
    ...{
      offset: { cron: '@daily', timeZone: '+02:00', job: listed },
      nowhere: { cron: '@daily', timeZone: '', job: listed },
    },
    ...{ other: { cron: '@daily', job: unlisted }, input, none: {} },
    ...{ missed: { cron: '@daily', job: listed, missed: 'all' }, more: { cron: '@daily', job: listed, zone: 'UTC' } },
  };
  const odd = job('odd', { attempts: 0, timeoutMs: 2 ** 31, run });
  const handlers = {
    jobs: [listed, keyed, { name: 'a' }, job('listed', { run }), job('on:a', { run }), odd],
    schedules,
    on: { machine: { created: run } },
  };
  const starting = startService('workshop', databases[0]!, handlers as unknown as AnyHandlers);
  const { message } = await starting.then(
    () => new Error('it has started'),
    (error: Error) => error,
  );
  expect(message.split('\n').map((line) => line.trim().replace('handlers.', ''))).toEqual([
    'Handlers do not fit the contract:',
    'jobs[2] is not a job: make it with `job` of generated/handlers.ts',
    'jobs[3] has the name of handlers.jobs[0], "listed"',
    'jobs[4].name is not a letter with up to 99 letters, digits, `_`, `.` and `-` behind it',
    'jobs[5].attempts is not a whole number from 1 to 1000',
    'jobs[5].timeoutMs is not a whole number from 1 to 2147483647',
    'schedules.words.cron is not five fields, such as `0 3 * * *`',
    'schedules.fields.cron is not five fields, such as `0 3 * * *`',
    'schedules.seconds.cron is not five fields, such as `0 3 * * *`',
    expect.stringMatching(/^schedules\.minute\.cron is not a pattern of times: .*minute: 61/),
    'schedules.never.cron never comes',
    'schedules.date.cron is not five fields, such as `0 3 * * *`',
    'schedules.zone.timeZone is not an IANA name of a time zone',
    'schedules.offset.timeZone is not an IANA name of a time zone',
    'schedules.nowhere.timeZone is not an IANA name of a time zone',
    'schedules.other.job is not in handlers.jobs',
    expect.stringMatching(/^schedules\.input\.job does not take \{\} as its input: /),
    'schedules.none.cron is not five fields, such as `0 3 * * *`',
    'schedules.none.job is not in handlers.jobs',
    'schedules.missed.missed is neither once nor skip',
    'schedules.more.zone is not one of cron, timeZone, job, missed',
    "on['machine']: the contract does not have this resource",
  ]);
});
