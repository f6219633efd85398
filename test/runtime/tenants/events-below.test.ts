import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { editedContract } from '../../support/edited-contract.ts';
import { eventually } from '../../support/eventually.ts';
import { type As, type Service, startCompiled, tokenOf } from '../../support/service.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';

const userOf = (i: number): string => `01941f29-7c00-7a10-8c57-00000000000${i}`;
const callerOf = (i: number, claims: object, scope = ''): As => ({ sub: userOf(i), scope, claims: { ...claims } });

const lead = callerOf(1, { tenant: 'acme' }, 'teams:write');
const FOLLOWERS = {
  lead,
  /** Sees only what is public. */
  colleague: callerOf(2, { tenant: 'acme' }),
  /** Sees all of the tenant, which no other row decides. */
  auditor: callerOf(3, { tenant: 'acme' }, 'tracker:audit'),
  foreign: callerOf(1, { tenant: 'globex' }, 'teams:write tracker:audit'),
  tenantless: callerOf(1, {}, 'teams:write tracker:audit'),
  operator: callerOf(4, {}, 'tracker:operate tracker:audit'),
};
const FOLLOWED = ['labelDeleted', 'issueDeleted', 'commentCreated { body }', 'commentDeleted'];

/** The rows below one that rules hide have no tenant of their own. */
describe.each(layoutDatabases)('events of rows below those of tenants, on $name,', (database) => {
  let service: Service;
  let project: string;
  const ends: (() => unknown)[] = [];
  const told = Object.fromEntries(Object.keys(FOLLOWERS).map((name) => [name, [] as string[]]));

  beforeAll(async () => {
    const audited = /(read:\n\s+- scope: )tracker:operate(\n\s+- where: { project: { visibility: PUBLIC)/g;
    service = await startCompiled(
      await editedContract('tracker', [['openapi.yaml', audited, '$1tracker:audit$2']]),
      database,
    );
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    for (const [name, as] of Object.entries(FOLLOWERS)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.push(() => client.dispose());
      for (const field of FOLLOWED) void follow(client, field, told[name]!);
      // What is asked after a subscription is answered after it began.
      await client.iterate({ query: '{ __typename }' }).next();
    }
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await service.close();
  });

  async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
    const [name] = field.split(' ');
    for await (const { data, errors } of client.iterate({ query: `subscription { ${field} }` })) {
      const value = (data as Record<string, unknown> | null | undefined)?.[name!];
      into.push(`${name} ${value == null ? errors?.[0]?.extensions?.['code'] : JSON.stringify(value)}`);
    }
  }

  /** Waits until each has been told exactly this, in any order, and forgets it. */
  async function expectTold(expected: { readonly [K in keyof typeof FOLLOWERS]?: readonly string[] }): Promise<void> {
    const all = Object.keys(FOLLOWERS).map((name) => [name, expected[name as keyof typeof FOLLOWERS] ?? []] as const);
    const sorted = (name: string) => [name, told[name]!.toSorted()];
    await eventually(() => expect(all.map(([name]) => sorted(name))).toEqual(all.map(([n, of]) => [n, of.toSorted()])));
    for (const events of Object.values(told)) events.length = 0;
  }

  const send = async (method: string, url: string, body?: object, as = lead): Promise<{ readonly id: string }> => {
    const reply = await service.request(method, `/v1${url}`, { as, ...(body && { body }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  it('say that they may be missed to those of the tenant alone, and to none for whom no other row decides', async () => {
    const team = await send('POST', '/teams', { name: 'Engines' });
    const missed = FOLLOWED.map((field) => `${field.split(' ')[0]} EVENTS_MISSED`);
    // A member, too, is below a row of the tenant.
    await send('POST', `/teams/${team.id}/members`, { userId: lead.sub, role: 'OWNER' });
    await expectTold({ lead: missed, colleague: missed });
    const values = { teamId: team.id, key: 'ENG', name: 'Engine', visibility: 'PUBLIC' };
    project = (await send('POST', '/projects', values)).id;
    await send('PATCH', `/projects/${project}`, { visibility: 'PRIVATE' });
    await expectTold({ lead: missed, colleague: missed });
  });

  it('are told of what is deleted with the row above it to those who saw it', async () => {
    const issue = await send('POST', '/issues', { projectId: project, title: 'Leak', status: 'OPEN', priority: 1 });
    const comment = await send('POST', `/issues/${issue.id}/comments`, { body: 'Seen' });
    const created = ['commentCreated {"body":"Seen"}'];
    await expectTold({ lead: created, auditor: created, operator: created });
    await send('DELETE', `/issues/${issue.id}`);
    const gone = [`issueDeleted "${issue.id}"`, `commentDeleted "${comment.id}"`];
    await expectTold({ lead: gone, auditor: gone, operator: gone });
  });

  it('say that they may be missed when a row is deleted with another that decided who saw it', async () => {
    const label = await send('POST', '/labels', { projectId: project, name: 'Bug', colour: '#ff0000' });
    await send('DELETE', `/projects/${project}`, undefined, { ...lead, scope: 'tracker:operate' });
    const lost = [`labelDeleted "${label.id}"`];
    const mayBeLost = ['labelDeleted EVENTS_MISSED'];
    await expectTold({ lead: mayBeLost, colleague: mayBeLost, auditor: lost, operator: lost });
  });
});
