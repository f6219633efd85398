import { afterEach, describe, expect, it } from 'vitest';
import type { Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { AnyResources } from '../../../src/runtime/engine/interface/untyped.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import { openTelemetry, type Telemetry } from '../../../src/runtime/telemetry/telemetry.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { collector } from '../../support/collector.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';

const ada = { sub: 'ada', scope: '', claims: { app: { tenant: '0199bd2f-7c00-7000-8000-0000000000b1' } } };
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const START = Date.parse('2026-01-15T12:00:00Z');

describe.each(databases)('jobs on $name', (database) => {
  let service: Service;
  let telemetry: Telemetry | undefined;
  let runner: JobRunner;
  let now = START;
  const failures: unknown[] = [];
  const job = jobsOf<AnyResources>();
  const ran: string[] = [];
  const greet = job<{ readonly code: string }>('greet', {
    attempts: 2,
    run({ code }) {
      ran.push(code);
      if (code.startsWith('BAD')) throw new RangeError('no');
    },
  });
  const start = async (settings: { readonly metricsPort?: number; readonly traceEndpoint?: string }) => {
    now = START;
    ran.length = 0;
    failures.length = 0;
    const common = { host: '127.0.0.1', serviceName: 'shop', resourceAttributes: {}, traceShare: 1 };
    const database_ = { kind: 'sqlite' as const };
    telemetry = await openTelemetry(
      { ...common, database: database_, metricsPort: settings.metricsPort, traceEndpoint: settings.traceEndpoint },
      '1.0.0',
    );
    const create = async (
      input: { readonly code: string },
      { send }: Sending,
      next: (input: unknown) => Promise<object>,
    ) => {
      await send(greet, { code: input.code });
      return next(input);
    };
    const created = ({ row }: { readonly row: { readonly code: string } }) => void ran.push(`event ${row.code}`);
    const handlers = { overrides: { machines: { create } }, on: { machines: { created } }, jobs: [greet] };
    service = await startService('workshop', database, handlers as unknown as AnyHandlers, {
      clock: () => now,
      ...(telemetry && { telemetry }),
      reportFailure: (thrown) => {
        failures.push(thrown);
        return undefined;
      },
      onJobs: (made) => {
        runner = made;
      },
    });
  };
  afterEach(async () => {
    await service.close();
    await telemetry?.close();
  });
  const create = (code: string, headers = {}) =>
    service.request('POST', '/v1/machines', { as: ada, body: { code, name: 'Lathe', state: 'IDLE' }, headers });

  it('are counted by state, aged and timed, and a database that does not answer is no reason for silence', async () => {
    const metricsPort = await freePort();
    await start({ metricsPort });
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const states = async () => {
      const text = await metrics();
      const counts = [...text.matchAll(/^lockstep_jobs\{state="(\w+)"\} (\d+)$/gm)].map(([, state, n]) => [
        state,
        Number(n),
      ]);
      return { ...Object.fromEntries(counts), oldest: Number(/^lockstep_job_oldest_seconds (\S+)$/m.exec(text)?.[1]) };
    };
    expect(await states()).toEqual({ waiting: 0, held: 0, running: 0, dead: 0, oldest: 0 });
    await create('BAD1');
    await create('M1');
    now += 3_000;
    expect(await states()).toEqual({ waiting: 4, held: 0, running: 0, dead: 0, oldest: 3 });
    await service.store.jobs.takeEvents(now);
    expect(await states()).toEqual({ waiting: 4, held: 0, running: 0, dead: 0, oldest: 3 });
    await service.store.jobs.hold();
    expect(await states()).toEqual({ waiting: 0, held: 4, running: 0, dead: 0, oldest: 3 });
    await service.store.jobs.release();
    await runner.runDue();
    now += 60_000;
    await runner.runDue();
    expect(await states()).toEqual({ waiting: 0, held: 0, running: 0, dead: 1, oldest: 0 });
    const timed = [...(await metrics()).matchAll(/^lockstep_job_duration_seconds_count\{(.*)\} (\d+)$/gm)];
    expect(Object.fromEntries(timed.map(([, labels, count]) => [labels, Number(count)]))).toEqual({
      'name="greet",outcome="again"': 1,
      'name="greet",outcome="dead"': 1,
      'name="greet",outcome="done"': 1,
      'name="on:machines",outcome="done"': 2,
    });
    expect(failures).toMatchObject([{ message: 'no' }, { message: 'no' }]);

    service.store.jobs.counts = () => Promise.reject(new Error('away'));
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect([answer.status, (await answer.text()).includes('lockstep_jobs{')]).toEqual([200, false]);
  });

  it('have a span for each attempt, which links to that of the request', async () => {
    const { endpoint, bytes, close } = await collector();
    await start({ traceEndpoint: endpoint });
    await create('BAD1', { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` });
    expect(await runner.runDue()).toMatchObject({ ran: [{ name: 'on:machines' }], failed: [{ name: 'greet' }] });
    expect(ran.toSorted()).toEqual(['BAD1', 'event BAD1']);
    await telemetry?.close();
    await eventually(() => expect(bytes().includes('run greet')).toBe(true));
    const text = bytes().toString('latin1');
    expect(text).toContain('run on:machines');
    expect(text).toContain('RangeError');
    expect(linksTo(TRACE_ID, text)).toBe(2);
    close();
  });

  it('link to their own requests, also of those that are committed together', async () => {
    const { endpoint, bytes, close } = await collector();
    await start({ traceEndpoint: endpoint });
    const traces = Array.from({ length: 4 }, (_, i) => TRACE_ID.replace(/.$/, String(i)));
    await Promise.all(traces.map((id, i) => create(`C${i}`, { traceparent: `00-${id}-00f067aa0ba902b7-01` })));
    expect((await runner.runDue()).ran).toHaveLength(8);
    await telemetry?.close();
    await eventually(() => expect(traces.map((id) => linksTo(id, bytes().toString('latin1')))).toEqual([2, 2, 2, 2]));
    close();
  });
});

/** How many links of spans lead to a trace: `links` of a span is field 13, `trace_id` of a link field 1, of 16 bytes. */
const linksTo = (traceId: string, spans: string): number =>
  spans.split(`\x0a\x10${Buffer.from(traceId, 'hex').toString('latin1')}`).filter((before) => before.at(-2) === 'j')
    .length;

describe.each(databases)('/readyz on $name', (database) => {
  it('does not depend on jobs', async () => {
    let runner: JobRunner | undefined;
    const warnings: (string | undefined)[] = [];
    const log = {
      info() {},
      warn: (_: object, text?: string) => void warnings.push(text),
      error() {},
      child: () => log,
    };
    const idle = jobsOf<AnyResources>()('idle', { run() {} });
    const service = await startService('workshop', database, { jobs: [idle] } as unknown as AnyHandlers, {
      http: { log: log as never },
      onJobs: (made) => {
        runner = made;
      },
    });
    const { jobs } = service.store;
    jobs.claim = () => Promise.reject(new Error('no such table: lockstep_job'));
    runner?.start(1);
    await eventually(() => expect(warnings).toContain('jobs cannot be reached'));
    expect((await service.request('GET', '/readyz')).status).toBe(200);
    await service.close();
  });
});
