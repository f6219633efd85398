import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import {
  admin,
  CLINICS,
  doctor,
  editor,
  fill,
  idOf,
  PEOPLE,
  type Person,
  reader,
  startClinic,
  stranger,
} from '../../support/ruled-clinic.ts';
import type { As, Reply, Service } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const path = (name: Person): string => `/v1/patients/${PEOPLE[name].id}`;
const person = (values: object = {}) => ({
  name: 'new',
  ward: 'NORTH',
  published: false,
  clinicId: CLINICS.first,
  ...values,
});
const withoutIds = ({ body }: Reply): object => ({ ...body, instance: '', requestId: '' });
const remover: As = { sub: 'remover', scope: 'clinic:admin clinic:delete' };

describe.each(databases)('rules of writing, on $name,', (database) => {
  let service: Service;
  beforeEach(async () => {
    service = await startClinic(database);
    await fill(service);
  });
  afterEach(() => service.close());

  const send = (method: string, url: string, as: As | undefined, body?: object): Promise<Reply> =>
    service.request(method, url, { ...(as && { as }), ...(body && { body }) });
  const mutate = async (field: string, as: As, variables: object) => {
    const types = { createPatient: '$input: PatientInput!', updatePatient: '$id: ID!, $input: PatientPatch!' };
    const [args, id] = field === 'createPatient' ? ['input: $input', ''] : ['id: $id, input: $input', ''];
    const text = `mutation (${types[field as keyof typeof types]}) { ${field}(${args}) { name ${id}} }`;
    const { data, errors } = await service.graphql(text, { as, variables });
    return errors ? [errors[0]!.extensions.code, errors[0]!.extensions.errors] : data[field];
  };
  const count = async (): Promise<number> => (await send('GET', '/v1/patients?count=true', admin)).body.page.totalCount;

  it('test what is created as it is, and take it back', async () => {
    expect(await send('POST', '/v1/patients', editor, person())).toMatchObject({ status: 201, body: { name: 'new' } });
    const before = await count();
    const refused = await send('POST', '/v1/patients', reader, person());
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', detail: 'You may not create such a Patient.', errors: [{ pointer: '/clinicId' }] },
    });
    expect(await mutate('createPatient', reader, { input: person() })).toMatchObject([
      'FORBIDDEN',
      [{ argument: 'input.clinicId' }],
    ]);
    const keyed = await service.request('POST', '/v1/patients', {
      as: reader,
      body: person(),
      headers: { 'idempotency-key': 'k' },
    });
    expect(keyed.status).toBe(403);
    expect(await count()).toBe(before);
    expect(await mutate('createPatient', editor, { input: person() })).toEqual({ name: 'new' });
  });

  it('test what is changed as it was, and hide what is not read', async () => {
    const patch = { name: 'changed' };
    expect(await send('PATCH', path('north'), editor, patch)).toMatchObject({ status: 200, body: patch });
    const readable = await send('PATCH', path('known'), editor, patch);
    expect(readable).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(readable.body.errors).toBeUndefined();
    expect(await send('PUT', path('known'), editor, person())).toMatchObject({ status: 403 });
    expect(await send('PATCH', path('known'), undefined, patch)).toMatchObject({ status: 403 });
    const hidden = await send('PATCH', path('secret'), editor, patch);
    const absent = await send('PATCH', `/v1/patients/${idOf(99)}`, editor, patch);
    expect(hidden.status).toBe(404);
    expect(withoutIds(hidden)).toEqual(withoutIds(absent));
    expect(await mutate('updatePatient', editor, { id: PEOPLE.known.id, input: patch })).toMatchObject([
      'FORBIDDEN',
      undefined,
    ]);
    expect(await mutate('updatePatient', editor, { id: PEOPLE.secret.id, input: patch })).toMatchObject([
      'NOT_FOUND',
      undefined,
    ]);
    expect((await send('GET', path('known'), admin)).body).toMatchObject({ name: 'known', version: 1 });
  });

  it('test what is changed as it becomes, and say which values may be at fault', async () => {
    const refused = await send('PATCH', path('north'), editor, { ward: 'EAST', name: 'moved', note: 'plain' });
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ pointer: '/ward' }] } });
    expect(refused.body.errors).toHaveLength(1);
    const replaced = await send('PUT', path('north'), editor, person({ ward: 'EAST' }));
    expect(replaced).toMatchObject({ status: 403, body: { errors: [{ pointer: '/ward' }] } });
    expect(await mutate('updatePatient', editor, { id: PEOPLE.north.id, input: { ward: 'EAST' } })).toMatchObject([
      'FORBIDDEN',
      [{ argument: 'input.ward' }],
    ]);
    expect((await send('GET', path('north'), admin)).body).toMatchObject({ name: 'north', ward: 'NORTH', version: 1 });
  });

  it('test what is deleted', async () => {
    expect(await send('DELETE', path('known'), remover)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await send('DELETE', path('north'), admin)).toMatchObject({ status: 403 });
    expect(await send('DELETE', path('north'), stranger)).toMatchObject({ status: 404 });
    expect(await send('DELETE', path('treated'), remover)).toMatchObject({ status: 204 });
    expect(await send('GET', path('treated'), admin)).toMatchObject({ status: 404 });
  });

  it('do not bind what cascades from a deletion', async () => {
    expect(await send('GET', `/v1/appointments/${idOf(22)}`, admin)).toMatchObject({ status: 200 });
    const other: As = { ...remover, scope: 'clinic:delete', sub: 'other' };
    expect(await send('DELETE', path('hidden'), other)).toMatchObject({ status: 204 });
    expect(await send('GET', `/v1/appointments/${idOf(22)}`, admin)).toMatchObject({ status: 404 });
    expect((await send('GET', path('known'), admin)).body.friendId).toBeNull();
  });

  it('make a reference to what is not read dangle, unless it is there already', async () => {
    const friend = (friendId: string) => send('PATCH', path('north'), editor, { friendId });
    const [hidden, absent] = [await friend(PEOPLE.secret.id), await friend(idOf(99))];
    expect(hidden).toMatchObject({
      status: 422,
      body: { code: 'REFERENCE_NOT_FOUND', errors: [{ pointer: '/friendId' }] },
    });
    expect(JSON.stringify(withoutIds(hidden)).replaceAll(PEOPLE.secret.id, idOf(99))).toBe(
      JSON.stringify(withoutIds(absent)),
    );
    expect(await friend(PEOPLE.known.id)).toMatchObject({ status: 200 });
    const elsewhere = await send('POST', '/v1/patients', editor, person({ clinicId: CLINICS.second }));
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ pointer: '/clinicId' }] } });
    expect(await mutate('createPatient', editor, { input: person({ friendId: PEOPLE.secret.id }) })).toMatchObject([
      'REFERENCE_NOT_FOUND',
      [{ argument: 'input.friendId' }],
    ]);
    await send('PATCH', path('north'), { ...editor, scope: 'clinic:admin' }, { friendId: PEOPLE.secret.id });
    const kept = await send('PUT', path('north'), editor, person({ name: 'kept', friendId: PEOPLE.secret.id }));
    expect(kept).toMatchObject({ status: 200, body: { name: 'kept', friendId: PEOPLE.secret.id } });
    expect(
      await send('POST', '/v1/appointments', stranger, { patientId: PEOPLE.hidden.id, doctorId: 'x', room: 'Y' }),
    ).toMatchObject({ status: 422 });
  });

  it('of a parent bind who changes its children, which have none', async () => {
    const records = `${path('treated')}/records`;
    const body = { text: 'new' };
    const asEditor: As = { ...editor, scope: 'clinic:admin' };
    expect(await send('POST', records, doctor, body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await send('POST', records, stranger, body)).toMatchObject({ status: 404 });
    expect(await send('PATCH', `${records}/${idOf(41)}`, doctor, body)).toMatchObject({ status: 403 });
    expect(await send('DELETE', `${records}/${idOf(41)}`, doctor)).toMatchObject({ status: 403 });
    const members = `/v1/clinics/${CLINICS.first}/members`;
    expect(await send('POST', members, reader, { userId: 'reader2', role: 'EDITOR' })).toMatchObject({ status: 403 });
    expect(await send('POST', members, stranger, { userId: 'stranger', role: 'EDITOR' })).toMatchObject({
      status: 404,
    });
    expect(await send('POST', members, editor, { userId: 'stranger', role: 'EDITOR' })).toMatchObject({ status: 201 });
    const north = `${path('north')}/records`;
    expect(await send('POST', north, asEditor, body)).toMatchObject({ status: 201 });
  });

  describe.each(['REST', 'GraphQL'])('decide whether an answer is repeated over %s', (protocol) => {
    const create = async (as: As, input: object): Promise<string> => {
      const headers = { 'idempotency-key': 'once' };
      if (protocol === 'REST') {
        const reply = await service.request('POST', '/v1/patients', { as, body: input, headers });
        return reply.status === 201 ? reply.body.id : reply.body.code;
      }
      const text = 'mutation ($input: PatientInput!) { createPatient(input: $input) { id } }';
      const { data, errors } = await service.graphql(text, { as, variables: { input }, headers });
      return errors ? errors[0]!.extensions.code : data.createPatient.id;
    };

    it('as long as the caller may create and read the row', async () => {
      const id = await create(editor, person());
      expect(await create(editor, person())).toBe(id);
      const moved = await send('PATCH', `/v1/patients/${id}`, { ...editor, scope: 'clinic:admin' }, { note: 'secret' });
      expect(moved.status).toBe(200);
      expect(await create(editor, person())).toBe('FORBIDDEN');
      expect(await create({ ...editor, scope: 'clinic:admin' }, person())).toBe(id);
      const member = `/v1/clinics/${CLINICS.first}/members/${idOf(31)}`;
      expect(await send('DELETE', member, editor)).toMatchObject({ status: 204 });
      expect(await create({ ...editor, scope: 'clinic:admin' }, person())).toBe('FORBIDDEN');
    });
  });
});

/** Code that answers what it likes, and writes past the rules. */
const overrides = {
  patients: {
    list: async (_query: Json, { store }: Json) => {
      const items = await store.patients.list({});
      return { items, nextCursor: null, totalCount: items.length };
    },
    get: (id: string, { store }: Json) => store.patients.get(id),
    update: async (patch: Json, { store, current }: Json, next: (patch: Json) => Promise<Json>) => {
      await next(patch);
      return store.patients.update(current.id, { note: 'by code' });
    },
    create: async (input: Json, { store }: Json, next: (input: Json) => Promise<Json>) => {
      const { id } = await next(input);
      return input.name === 'astray' ? store.patients.update(id, { clinicId: CLINICS.second }) : store.patients.get(id);
    },
    delete: (id: string, { store }: Json) => store.patients.delete(id),
  },
};

describe.each(databases)('code in the place of actions, on $name,', (database) => {
  let service: Service;
  beforeEach(async () => {
    service = await startClinic(database, { overrides } as never);
    await fill(service);
  });
  afterEach(() => service.close());

  it('is behind the rules of reading', async () => {
    for (const url of ['/v1/patients?count=true', '/v1/patients?count=true&limit=5']) {
      const { body } = await service.request('GET', url, { as: doctor });
      expect(body.page.totalCount).toBe(2);
      expect(body.data.map((one: Json) => one.name)).toEqual(['treated', 'known']);
    }
    const { data } = await service.graphql(
      `{ patients { nodes { name } } patient(id: "${PEOPLE.hidden.id}") { name } }`,
      { as: doctor },
    );
    expect(data).toEqual({ patients: { nodes: [{ name: 'treated' }, { name: 'known' }] }, patient: null });
    expect(await service.request('GET', path('hidden'), { as: doctor })).toMatchObject({ status: 404 });
    expect(await service.request('GET', path('treated'), { as: doctor })).toMatchObject({ status: 200 });
  });

  it('is behind the rules of writing, for what it makes of a row', async () => {
    const send = (method: string, url: string, as: As, body?: object) =>
      service.request(method, url, { as, ...(body && { body }) });
    expect(await send('PATCH', path('north'), editor, { name: 'new' })).toMatchObject({
      status: 200,
      body: { note: 'by code' },
    });
    expect(await send('PATCH', path('known'), editor, { name: 'new' })).toMatchObject({ status: 403 });
    expect(await send('PATCH', path('north'), editor, { ward: 'EAST' })).toMatchObject({ status: 403 });
    expect(await send('DELETE', path('north'), editor)).toMatchObject({ status: 403 });
    expect(await send('POST', '/v1/patients', editor, person())).toMatchObject({ status: 201 });
    expect(await send('POST', '/v1/patients', editor, person({ name: 'astray' }))).toMatchObject({ status: 403 });
    expect(await send('POST', '/v1/patients', reader, person())).toMatchObject({ status: 403 });
    const { body } = await send('GET', path('north'), admin);
    expect(body).toMatchObject({ name: 'new', ward: 'NORTH', version: 3 });
  });
});
