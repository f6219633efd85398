import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { admin, ann, DEPARTMENTS, head, STAFF, startPayroll, stranger } from '../../support/payroll.ts';
import { type Service, tokenOf } from '../../support/service.ts';

const CALLERS = { admin, ann, head, stranger, another: { ...stranger, sub: 'another' } };
const QUERY = 'subscription { employeeUpdated { version salary notes badge mentor { name } } }';

describe.each(databases)('events of rows whose properties have rules, on $name,', (database) => {
  let service: Service;
  const ends: (() => unknown)[] = [];
  const told: Record<string, unknown[]> = {};

  beforeAll(async () => {
    service = await startPayroll(database);
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    for (const [name, as] of Object.entries(CALLERS)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.push(() => client.dispose());
      const into: unknown[] = [];
      told[name] = into;
      void (async () => {
        for await (const { data, errors } of client.iterate({ query: QUERY }))
          into.push(errors?.[0]?.extensions?.['code'] ?? (data as { employeeUpdated: unknown }).employeeUpdated);
      })();
      // What is asked after a subscription is answered after it began.
      await client.iterate({ query: '{ __typename }' }).next();
    }
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await service.close();
  });

  it('show each follower what it reads of the row', async () => {
    const path = `/v1/employees/${STAFF.ann.id}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { status } = await service.request('PATCH', path, { as: admin, body: { salary: 6000 }, headers });
    expect(status).toBe(200);
    await service.request('PATCH', path, { as: head, body: { notes: 'better' }, headers });
    await eventually(() => expect(Object.values(told).map((one) => one.length)).toEqual([2, 2, 2, 2, 2]));
    const none = { salary: null, notes: null, badge: null, mentor: null };
    const mentor = { name: 'Bob' };
    const twice = (view: object, before: object = {}) => [
      { version: 2, ...none, ...view, ...before },
      { version: 3, ...none, ...view },
    ];
    expect(told).toEqual({
      admin: twice({ salary: 6000, badge: 'B-1', mentor }),
      ann: twice({ salary: 6000, mentor }),
      head: twice({ notes: 'better' }, { notes: STAFF.ann.notes }),
      stranger: twice({}),
      another: twice({}),
    });
  });

  it('say that events are missed where other rows change what is read', async () => {
    const path = `/v1/departments/${DEPARTMENTS.first}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const change = async (body: object): Promise<void> => {
      expect((await service.request('PATCH', path, { as: admin, body, headers })).status).toBe(200);
    };
    const before = Object.values(told).map((one) => one.length);
    await change({ name: 'renamed' });
    await change({ headId: 'another' });
    await service.request('PATCH', `/v1/employees/${STAFF.ann.id}`, { as: admin, body: { name: 'A' }, headers });
    await eventually(() =>
      expect(Object.values(told).map((one, at) => one.length - before[at]!)).toEqual([2, 2, 2, 2, 2]),
    );
    const missed = Object.values(told).map((one) => one.at(-2));
    expect(missed).toEqual(['EVENTS_MISSED', 'EVENTS_MISSED', 'EVENTS_MISSED', 'EVENTS_MISSED', 'EVENTS_MISSED']);
    expect([told['head']!.at(-1), told['another']!.at(-1)]).toMatchObject([{ notes: null }, { notes: 'better' }]);
  });
});
