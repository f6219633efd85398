import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { admin, ann, DEPARTMENTS, refill, STAFF, stranger } from '../../support/payroll.ts';
import { Probes, probedContract, WRITES } from '../../support/probes.ts';
import { type As, type Service, startCompiled, tokenOf } from '../../support/service.ts';

const payroll = probedContract('payroll');
const FOLLOWED = ['employeeCreated { name salary }', 'employeeUpdated { name salary }', 'employeeDeleted'];
const FOLLOWERS: Readonly<Record<string, As>> = { admin, ann, stranger };

describe.each(databases)('events of what asCaller writes, on $name,', (database) => {
  const probes = new Probes();
  const ends: (() => unknown)[] = [];
  const heard: Record<string, string[]> = {};
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await payroll, database, probes.handlers);
    await refill(service);
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    for (const [name, as] of Object.entries(FOLLOWERS)) {
      heard[name] = [];
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.push(() => client.dispose());
      for (const field of FOLLOWED) void follow(client, field, heard[name]);
      // A query behind the subscriptions is answered after they have begun.
      await client.iterate({ query: '{ __typename }' }).next();
    }
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await service.close();
  });

  async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
    for await (const { data } of client.iterate({ query: `subscription { ${field} }` }))
      into.push(JSON.stringify(data));
  }

  it('are published once committed, and show each follower what it reads', async () => {
    const shown = (salary: number | null, made: string) => [
      `{"employeeCreated":{"name":"New","salary":100}}`.replace('100', String(salary)),
      `{"employeeUpdated":{"name":"New","salary":200}}`.replace('200', String(salary && salary * 2)),
      `{"employeeDeleted":"${made}"}`,
    ];
    const expected: Record<string, string[]> = { admin: [], ann: [], stranger: [] };
    for (const way of WRITES) {
      await probes.run(service, way, admin, async ({ asCaller: { employees } }) => {
        await employees.update(STAFF.bob.id, { name: 'Undone' });
        throw new Error('undone');
      });
      const { value } = await probes.run(service, way, admin, async ({ asCaller: { employees } }) => {
        const given = { name: 'New', userId: 'ann', departmentId: DEPARTMENTS.first, salary: 100 };
        return (await employees.create(given)).id;
      });
      const made = String(value);
      const run = (code: Parameters<Probes['run']>[3]) => probes.run(service, way, admin, code);
      await run(({ asCaller: { employees } }) => employees.update(made, { salary: 200 }));
      await run(async ({ asCaller: { employees } }) => employees.delete(made));
      for (const [name, salary] of [
        ['admin', 100],
        ['ann', 100],
        ['stranger', null],
      ] as const)
        expected[name]!.push(...shown(salary, made));
      const sorted = (all: typeof heard) => Object.entries(all).map(([name, events]) => [name, events.toSorted()]);
      await eventually(() => expect(sorted(heard)).toEqual(sorted(expected)));
    }
  });
});
