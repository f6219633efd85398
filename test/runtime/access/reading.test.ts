import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { onList } from '../../support/reads.ts';
import {
  admin,
  CLINICS,
  doctor,
  editor,
  fill,
  idOf,
  nurse,
  PEOPLE,
  type Person,
  reader,
  startClinic,
  stranger,
} from '../../support/ruled-clinic.ts';
import type { As, Reply, Service } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const EVERYBODY: readonly Person[] = ['treated', 'north', 'secret', 'known', 'hidden'];

/** Each caller with the patients whom it reads. */
const CALLERS: readonly (readonly [string, As | undefined, readonly Person[]])[] = [
  ['whoever has the scope', admin, EVERYBODY],
  ['a doctor', doctor, ['treated', 'known']],
  ['a nurse of two wards', nurse, ['treated', 'north', 'known']],
  ['an editor', editor, ['north', 'known']],
  ['the other doctor', { sub: 'other', scope: '' }, ['known', 'hidden']],
  ['a caller with one ward', { ...stranger, claims: { wards: 'EAST' } }, ['treated', 'known']],
  ['a caller with no wards', { ...stranger, claims: { wards: [] } }, ['known']],
  ['a caller whose wards are no texts', { ...stranger, claims: { wards: ['EAST', 7] } }, ['known']],
  ['a caller whose wards are an object', { ...stranger, claims: { wards: { 0: 'EAST' } } }, ['known']],
  ['a stranger', stranger, ['known']],
  ['a caller without a token', undefined, ['known']],
];

const path = (name: Person): string => `/v1/patients/${PEOPLE[name].id}`;
const namesIn = ({ body }: Reply): readonly string[] => body.data.map((one: Json) => one.name);
const sorted = (names: readonly string[]): readonly string[] => names.toSorted();
const whole = ({ body }: Reply): object => ({ ...body, instance: '', requestId: '' });

describe.each(databases)('rows with rules, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startClinic(database);
    await fill(service);
  });
  afterAll(() => service.close());

  const get = (url: string, as: As | undefined, headers?: Readonly<Record<string, string>>): Promise<Reply> =>
    service.request('GET', url, { ...(as && { as }), ...(headers && { headers }) });
  const ask = (query: string, as: As | undefined, variables: object = {}) =>
    service.graphql(query, { ...(as && { as }), variables });

  describe.each(CALLERS)('read by %s,', (_name, as, seen) => {
    it('are listed and counted alike in both protocols, twice', async () => {
      for (const _ of [1, 2]) {
        const listed = await get('/v1/patients?count=true', as);
        expect([sorted(namesIn(listed)), listed.body.page.totalCount]).toEqual([sorted(seen), seen.length]);
        const { data } = await ask('{ patients { totalCount nodes { name } } }', as);
        expect(sorted(data.patients.nodes.map((one: Json) => one.name))).toEqual(sorted(seen));
        expect(data.patients.totalCount).toBe(seen.length);
      }
    });

    it('are found by filters and in orders, and by no other means', async () => {
      const south = seen.filter((name) => PEOPLE[name].ward === 'SOUTH');
      const filtered = await get('/v1/patients?ward=SOUTH&count=true', as);
      expect([sorted(namesIn(filtered)), filtered.body.page.totalCount]).toEqual([sorted(south), south.length]);
      const searched = await get('/v1/patients?name[contains]=hid&count=true', as);
      const found = seen.filter((name) => name === 'hidden');
      expect([namesIn(searched), searched.body.page.totalCount]).toEqual([found, found.length]);
      expect(namesIn(await get('/v1/patients?sort=-name', as))).toEqual(sorted(seen).toReversed());
    });

    it('are paged through one by one', async () => {
      const names: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await get(`/v1/patients?limit=1&sort=name${cursor}`, as);
        names.push(...namesIn(page));
        if (page.body.page.nextCursor === null) break;
        cursor = `&cursor=${page.body.page.nextCursor}`;
      }
      expect(names).toEqual(sorted(seen));
    });

    it.each(EVERYBODY)('are there, or as if they were not: %s', async (name) => {
      const isSeen = seen.includes(name);
      const reply = await get(path(name), as);
      const absent = await get(`/v1/patients/${idOf(99)}`, as);
      expect(reply.status).toBe(isSeen ? 200 : 404);
      if (!isSeen) expect(whole(reply)).toEqual(whole(absent));
      const known = { 'if-none-match': isSeen ? String(reply.headers['etag']) : '"1"' };
      expect((await get(path(name), as, known)).status).toBe(isSeen ? 304 : 404);
      const { data, errors } = await ask('query ($id: ID!) { patient(id: $id) { name } }', as, { id: PEOPLE[name].id });
      expect([data?.patient, errors?.[0]?.extensions.code]).toEqual(
        isSeen ? [{ name }, undefined] : [null, 'NOT_FOUND'],
      );
      const records = await get(`${path(name)}/records?count=true`, as);
      expect(records.status).toBe(isSeen ? 200 : 404);
      const own = ['treated', 'hidden'].includes(name) ? [`on the ${name}`] : [];
      if (isSeen) expect(records.body.data.map((one: Json) => one.text)).toEqual(own);
      const [record] = name === 'hidden' ? [idOf(42)] : [idOf(41)];
      const single = await get(`${path(name)}/records/${record}`, as);
      expect(single.status).toBe(isSeen && own.length > 0 ? 200 : 404);
    });
  });

  it('are not continued by the cursor of a caller who sees others', async () => {
    const { body } = await get('/v1/patients?limit=1&sort=name', admin);
    for (const as of [doctor, nurse, stranger, undefined]) {
      const reply = await get(`/v1/patients?limit=1&sort=name&cursor=${body.page.nextCursor}`, as);
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    }
    const again = await get(`/v1/patients?limit=1&sort=name&cursor=${body.page.nextCursor}`, {
      ...admin,
      sub: 'second',
    });
    expect(again.status).toBe(200);
  });

  it('are nested in others as they are listed', async () => {
    const query = `{ clinics { totalCount nodes { name patients { totalCount nodes { name } } members { nodes { userId } } } } }`;
    const { data } = await ask(query, editor);
    expect(data.clinics).toEqual({
      totalCount: 1,
      nodes: [
        {
          name: 'first',
          patients: { totalCount: 1, nodes: [{ name: 'north' }] },
          members: { nodes: [{ userId: 'editor' }, { userId: 'reader' }] },
        },
      ],
    });
    const all = await ask(query, admin);
    expect(all.data.clinics.nodes.map((one: Json) => one.patients.totalCount)).toEqual([3, 2]);
    expect((await ask(query, stranger)).data.clinics).toEqual({ totalCount: 0, nodes: [] });
    expect((await get(`/v1/clinics/${CLINICS.first}/members`, reader)).body.data).toHaveLength(2);
    for (const as of [stranger, doctor, undefined])
      expect((await get(`/v1/clinics/${CLINICS.first}/members`, as)).status).toBe(404);
  });

  it('are null behind a reference, whose id stays', async () => {
    const query = '{ patients(filter: { ward: SOUTH }) { nodes { name friendId friend { name } } } }';
    const { data, errors } = await ask(query, stranger);
    expect(data.patients.nodes).toEqual([{ name: 'known', friendId: PEOPLE.hidden.id, friend: null }]);
    expect(errors!.map(({ extensions, path: at }) => [extensions.code, at])).toEqual([
      ['NOT_FOUND', ['patients', 'nodes', 0, 'friend']],
    ]);
    const { data: other } = await ask(query, { sub: 'other', scope: '' });
    expect(other.patients.nodes[0].friend).toEqual({ name: 'hidden' });
  });

  it('count only what is seen of each list below them', async () => {
    const query = '{ patients(sort: [NAME_ASC]) { nodes { name appointments { totalCount nodes { room } } } } }';
    const { data } = await ask(query, doctor);
    expect(data.patients.nodes).toEqual([
      { name: 'known', appointments: { totalCount: 0, nodes: [] } },
      { name: 'treated', appointments: { totalCount: 1, nodes: [{ room: 'A' }] } },
    ]);
  });

  it('come into lists, and go, when the rows change that a rule reads', async () => {
    const names = async (): Promise<readonly string[]> => sorted(namesIn(await get('/v1/patients', stranger)));
    expect(await names()).toEqual(['known']);
    const body = { patientId: PEOPLE.north.id, doctorId: 'stranger', room: 'Z' };
    const { body: made } = await service.request('POST', '/v1/appointments', { as: admin, body });
    expect(await names()).toEqual(['known', 'north']);
    expect(
      sorted((await ask('{ patients { nodes { name } } }', stranger)).data.patients.nodes.map((one: Json) => one.name)),
    ).toEqual(['known', 'north']);
    await service.request('DELETE', `/v1/appointments/${made.id}`, { as: admin });
    expect(await names()).toEqual(['known']);
  });

  it('are one page in the cache for all who see the same', async () => {
    const calls = { lists: 0 };
    onList(service.store, () => calls.lists++);
    const read = (as: As) => get('/v1/patients?limit=7', as);
    service.store.changesElsewhere = () => 0;
    await read({ sub: 'a', scope: 'clinic:admin' });
    const before = calls.lists;
    await read({ sub: 'b', scope: 'clinic:admin', claims: { wards: ['EAST'] } });
    await read({ sub: 'c', scope: 'clinic:admin other' });
    expect(calls.lists).toBe(before);
    await read({ sub: 'd', scope: '' });
    expect(calls.lists).toBe(before + 1);
    await read({ sub: 'd', scope: '', claims: { unread: 1 } });
    expect(calls.lists).toBe(before + 1);
    await read({ sub: 'd', scope: '', claims: { wards: ['EAST'] } });
    expect(calls.lists).toBe(before + 2);
  });
});
