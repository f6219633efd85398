import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { JobRunner } from '../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { batchingAll } from '../support/batching.ts';
import { databases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type As, type Reply, type Service, startCompiled, tokenOf } from '../support/service.ts';
import type { Json } from '../support/storefront.ts';
import { called, callOf } from '../support/tools.ts';

const TENANT = '0199bd2f-7c00-7000-8000-0000000000b1';
const ada: As = { sub: 'ada', scope: '', claims: { app: { tenant: TENANT } } };
const reader: As = { ...ada, scope: 'workers:read' };

const codes = ({ status, body }: Reply): unknown =>
  status === 200 ? body.data.map((one: Json) => one.error?.code ?? one.status) : [status, body.code];

describe.each(databases)('batches of rows under rules, on $name,', (database) => {
  let service: Service;
  let runner: JobRunner;
  const heard: unknown[] = [];
  const hears = (kind: string) => (event: Json) => void heard.push([kind, event.row.name]);
  const on = { machines: { created: hears('created'), updated: hears('updated'), deleted: hears('deleted') } };
  let count = 0;
  const machine = (name: string) => ({ create: { input: { code: `M${++count}`, name, state: 'IDLE' } } });
  const send = (path: string, items: readonly object[], { as = ada, mode = 'ATOMIC', headers = {} } = {}) =>
    service.request('POST', `/v1/${path}/batch`, { as, body: { ...(mode === 'EACH' && { mode }), items }, headers });

  beforeAll(async () => {
    service = await startCompiled(await batchingAll('workshop'), database, { on } as unknown as AnyHandlers, {
      onJobs: (made) => {
        runner = made;
      },
    });
  });
  afterAll(() => service.close());

  it('do not reveal a hidden row: an upsert of its key is 409, and nothing else finds it', async () => {
    const email = 'old@example.org';
    const worker = { name: 'Old', email, retired: true };
    expect((await service.request('POST', '/v1/workers', { as: reader, body: worker })).status).toBe(201);
    const items = [
      { upsert: { key: { email }, create: { ...worker, name: 'New' } } },
      { update: { key: { email }, input: { name: 'New' } } },
      { delete: { key: { email } } },
      { create: { input: worker } },
    ];
    expect(codes(await send('workers', items, { mode: 'EACH' }))).toEqual([
      'ALREADY_EXISTS',
      'NOT_FOUND',
      'NOT_FOUND',
      'ALREADY_EXISTS',
    ]);
    for (const [at, code] of [
      [0, 'ALREADY_EXISTS'],
      [1, 'NOT_FOUND'],
    ] as const) {
      const { status, body } = await send('workers', [items[at]!]);
      expect([status, body.code, JSON.stringify(body)]).toEqual([
        code === 'NOT_FOUND' ? 404 : 409,
        code,
        expect.not.stringContaining('Old'),
      ]);
    }
    expect(codes(await send('workers', [items[0]!], { as: reader }))).toEqual([200]);
  });

  it('are events in the order of the items, to subscribers and to code', async () => {
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    const connectionParams = { authorization: `Bearer ${tokenOf(ada)}` };
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
    const seen: string[] = [];
    const follow = async (field: string) => {
      for await (const { data } of client.iterate<Json>({ query: `subscription { ${field} { name } }` }))
        seen.push(`${field} ${data[field].name}`);
    };
    const ended = ['machineCreated', 'machineUpdated'].map((field) => follow(field).catch(() => undefined));
    await eventually(async () => {
      const { body } = await send('machines', [machine('first')]);
      await service.request('PATCH', `/v1/machines/${body.data[0].data.id}`, { as: ada, body: { name: 'second' } });
      expect(new Set(seen.map((one) => one.split(' ')[0])).size).toBe(2);
    });
    await runner.runDue();
    seen.length = 0;
    heard.length = 0;
    const items = ['a', 'b', 'c'].map(machine);
    const key = { code: items[1]!.create.input.code };
    const { body } = await send('machines', [...items, { update: { key, input: { name: 'd' } } }, machine('e')]);
    expect(body.data.map((one: Json) => one.status)).toEqual([201, 201, 201, 200, 201]);
    await eventually(() => expect(seen).toContain('machineCreated e'));
    const created = seen.filter((one) => one.startsWith('machineCreated'));
    expect(created.map((one) => one.split(' ')[1])).toEqual(['a', 'd', 'c', 'e']);
    await runner.runDue();
    expect(heard).toEqual(['a', 'd', 'c', 'e'].map((name) => ['created', name]));
    void client.dispose();
    await Promise.all(ended);
  });

  it('leave no event of an ATOMIC one that fails, and those of the successes of EACH', async () => {
    await runner.runDue();
    heard.length = 0;
    const missing = { delete: { id: crypto.randomUUID() } };
    expect((await send('machines', [machine('x'), missing])).status).toBe(404);
    expect(codes(await send('machines', [machine('y'), missing, machine('z')], { mode: 'EACH' }))).toEqual([
      201,
      'NOT_FOUND',
      201,
    ]);
    await runner.runDue();
    expect(heard).toEqual([
      ['created', 'y'],
      ['created', 'z'],
    ]);
  });

  it.each(['ATOMIC', 'EACH'])('in %s answer a repeated key over each protocol as at first', async (mode) => {
    const items = [machine('one'), machine('two')];
    const key = crypto.randomUUID();
    const headers = { 'idempotency-key': key };
    const ask: Readonly<Record<string, (sent: readonly object[]) => Promise<readonly unknown[]>>> = {
      REST: async (sent) => {
        const { body } = await send('machines', sent, { mode, headers });
        return body.data?.map((one: Json) => one.data?.id ?? one.error.code) ?? [body.code];
      },
      GraphQL: async (sent) => {
        const text =
          'mutation ($mode: BatchMode, $items: [MachineBatchItem!]!) { batchMachines(mode: $mode, items: $items) { results { id } } }';
        const { data, errors } = await service.graphql(text, { as: ada, variables: { mode, items: sent }, headers });
        const failed = (at: number) => errors?.find(({ path }) => path?.[2] === at)?.extensions.code;
        return (
          data?.batchMachines.results.map((one: Json, at: number) => one?.id ?? failed(at)) ?? [
            errors?.[0]?.extensions.code,
          ]
        );
      },
      MCP: async (sent) => {
        const call = callOf('batchMachines', { input: { mode, items: sent }, idempotencyKey: key });
        const { value } = called(await service.request('POST', '/mcp', { as: ada, body: call }));
        return value.data?.map((one: Json) => one.data?.id ?? one.error.code) ?? [value.code];
      },
    };
    const first = await ask['REST']!(items);
    expect(new Set(first).size).toBe(2);
    const others = [items[0]!, machine('three')];
    for (const [protocol, send] of Object.entries(ask)) {
      expect(await send(items), protocol).toEqual(first);
      const reused = await send(others);
      expect(reused, protocol).toEqual(
        mode === 'ATOMIC' ? ['IDEMPOTENCY_KEY_REUSED'] : [first[0], 'IDEMPOTENCY_KEY_REUSED'],
      );
    }
    const other = await send('machines', items, { mode, headers, as: { ...ada, sub: 'bob' } });
    expect(other.status === 200 ? codes(other) : [other.body.code]).toContain('ALREADY_EXISTS');
  });
});

describe.each(databases)('batches of rows with hidden properties, on $name,', (database) => {
  let service: Service;
  const head: As = { sub: 'head', scope: 'staff:admin' };
  const plain: As = { sub: 'plain', scope: '' };
  let departmentId = '';
  beforeAll(async () => {
    service = await startCompiled(await batchingAll('payroll'), database);
    const made = await service.request('POST', '/v1/departments', { as: head, body: { name: 'D', headId: 'head' } });
    departmentId = made.body.id;
  });
  afterAll(() => service.close());
  const send = (as: As, items: readonly object[], mode = 'EACH') =>
    service.request('POST', '/v1/employees/batch', { as, body: { mode, items } });

  it('refuse a key that the caller may not read, and inputs that it may not write, each by itself', async () => {
    const input = { name: 'Ann', userId: 'ann', departmentId, badge: 'B1', salary: 7 };
    const [made] = (await send(head, [{ create: { input } }])).body.data;
    expect(made.status).toBe(201);
    const { badge: _, salary: __, ...open } = input;
    const items = [
      { update: { key: { badge: 'B1' }, input: { name: 'Eve' } } },
      { upsert: { key: { badge: 'B1' }, create: input } },
      { update: { id: made.data.id, input: { salary: 1 } } },
      { create: { input: { ...open, userId: 'eve' } } },
      { delete: { key: { badge: 'NONE' } } },
    ];
    expect(codes(await send(plain, items))).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 201, 'FORBIDDEN']);
    const shown = (await send(plain, [{ update: { id: made.data.id, input: { name: 'Amy' } } }])).body.data[0];
    expect([shown.status, shown.data.name, shown.data.badge, shown.data.salary]).toEqual([200, 'Amy', null, null]);
  });
});
