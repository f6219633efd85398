import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { CLINICS, doctor, fill, idOf, nurse, PEOPLE, startClinic, stranger } from '../../support/ruled-clinic.ts';
import { type As, type Service, tokenOf } from '../../support/service.ts';

/** Changes whatever the tests change. */
const everything: As = { sub: 'editor', scope: 'clinic:admin clinic:delete' };

const FOLLOWED = [
  'patientCreated { name }',
  'patientUpdated { name clinic { name } }',
  'patientDeleted',
  `patientUpdated(id: "${PEOPLE.secret.id}") { note }`,
  'recordCreated { text }',
];
/** What a follower of all those is told when any event may be missed. */
const MISSED = FOLLOWED.map((field) => `${field.split(/[ (]/)[0]} EVENTS_MISSED`);
/** Who sees a record is who sees its patient. */
const RECORDS_MISSED = ['recordCreated EVENTS_MISSED'];
/** The references of an event are read by its follower. */
const HIDDEN_CLINIC = '"clinic":null';

describe.each(databases)('events of rows with rules, on $name,', (database) => {
  let service: Service;
  const ends: (() => unknown)[] = [];
  const told = { everything: [] as string[], doctor: [] as string[], nurse: [] as string[], stranger: [] as string[] };
  const callers = { everything, doctor, nurse, stranger };
  const expected = {
    everything: [] as string[],
    doctor: [] as string[],
    nurse: [] as string[],
    stranger: [] as string[],
  };

  beforeAll(async () => {
    service = await startClinic(database);
    await fill(service);
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    for (const [name, as] of Object.entries(callers)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.push(() => client.dispose());
      const into = told[name as keyof typeof told];
      for (const field of FOLLOWED) void follow(client, field, into);
      // What is asked after a subscription is answered after it began.
      await client.iterate({ query: '{ __typename }' }).next();
    }
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await service.close();
  });

  async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
    const [name] = field.split(/[ (]/);
    for await (const { data, errors } of client.iterate({ query: `subscription { ${field} }` })) {
      const code = errors?.[0]?.extensions?.['code'];
      const value = (data as Record<string, unknown> | null | undefined)?.[name!];
      into.push(`${name} ${value == null ? code : JSON.stringify(value)}`);
    }
  }

  /** Waits for exactly these, in any order, after all before. */
  async function expectTold(more: { readonly [K in keyof typeof told]?: readonly string[] }): Promise<void> {
    for (const key of Object.keys(told) as (keyof typeof told)[]) expected[key].push(...(more[key] ?? []));
    const sorted = (all: typeof told) => Object.entries(all).map(([key, events]) => [key, events.toSorted()]);
    await eventually(() => expect(sorted(told)).toEqual(sorted(expected)));
  }

  const send = async (method: string, url: string, body?: object): Promise<void> => {
    const reply = await service.request(method, url, { as: everything, ...(body && { body }) });
    expect([reply.status, reply.text]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()]);
  };
  const north = `/v1/patients/${PEOPLE.north.id}`;
  const gone = (id: string): string => `patientDeleted "${id}"`;
  const updated = (name: string) => `patientUpdated {"name":"${name}","clinic":{"name":"first"}}`;
  const updatedAlone = (name: string) => `patientUpdated {"name":"${name}",${HIDDEN_CLINIC}}`;

  it('are told to those who see the row', async () => {
    await send('PATCH', north, { name: 'n1' });
    await expectTold({ everything: [updated('n1')], nurse: [updatedAlone('n1')] });
    await send('PATCH', `/v1/patients/${PEOPLE.secret.id}`, { name: 's1' });
    await expectTold({ everything: [updated('s1'), 'patientUpdated {"note":"secret"}'] });
  });

  it('tell of a row that comes into sight, and say that one goes, as of one that is deleted', async () => {
    await send('PATCH', north, { ward: 'SOUTH' });
    await expectTold({
      everything: [updated('n1')],
      nurse: [gone(PEOPLE.north.id), ...RECORDS_MISSED],
      doctor: RECORDS_MISSED,
      stranger: RECORDS_MISSED,
    });
    await send('PATCH', north, { published: true });
    const seen = [updatedAlone('n1'), ...RECORDS_MISSED];
    await expectTold({ everything: [updated('n1')], nurse: seen, doctor: seen, stranger: seen });
    await send('PATCH', north, { published: false, name: 'n2' });
    const lost = [gone(PEOPLE.north.id), ...RECORDS_MISSED];
    await expectTold({ everything: [updated('n2')], nurse: lost, doctor: lost, stranger: lost });
    await send('DELETE', north);
    await expectTold({ everything: [gone(PEOPLE.north.id)] });
  });

  it('tell of what is created and deleted as the row was', async () => {
    const body = { name: 'fresh', ward: 'NORTH', published: true, clinicId: CLINICS.first };
    await send('POST', '/v1/patients', body);
    const created = ['patientCreated {"name":"fresh"}'];
    await expectTold({ everything: created, nurse: created, doctor: created, stranger: created });
    await send('POST', '/v1/patients', { ...body, name: 'quiet', published: false });
    const quiet = ['patientCreated {"name":"quiet"}'];
    await expectTold({ everything: quiet, nurse: quiet });
  });

  it('tell of rows below a row that is seen', async () => {
    await send('PATCH', `/v1/clinics/${CLINICS.first}`, { name: 'first' });
    const records = `/v1/patients/${PEOPLE.known.id}/records`;
    const reply = await service.request('POST', records, {
      as: everything,
      body: { text: 'no editor of that clinic' },
    });
    expect(reply.status).toBe(403);
    await send('POST', `/v1/patients/${PEOPLE.secret.id}/records`, { text: 'quiet' });
    await expectTold({ everything: ['recordCreated {"text":"quiet"}'] });
  });

  it('may be missed by those whose sight depends on rows that change', async () => {
    const body = { patientId: PEOPLE.hidden.id, doctorId: 'doctor', room: 'Q' };
    await send('POST', '/v1/appointments', body);
    await expectTold({ doctor: MISSED, nurse: MISSED, stranger: MISSED });
    await send('PATCH', `/v1/appointments/${idOf(23)}`, { room: 'R' });
    await send('DELETE', `/v1/patients/${PEOPLE.treated.id}`);
    await expectTold({
      everything: [gone(PEOPLE.treated.id)],
      nurse: [gone(PEOPLE.treated.id), ...MISSED],
      doctor: MISSED,
      stranger: MISSED,
    });
  });
});
