import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const staff = { sub: 'staff', scope: 'atlas:write trips:admin' };
const ann = { sub: 'auth0|ann', scope: '' };
const bob = { sub: 'auth0|bob', scope: '' };

/** Names that an override of `create` gives. */
async function shouted(input: { readonly name: string }, _context: object, next: (input: object) => Promise<object>) {
  return next({ ...input, name: input.name === 'quiet' ? 'QUIET' : input.name });
}

describe.each(databases)('PUT that creates, and replaceX with it, on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    const handlers = { overrides: { 'countries.cities': { create: shouted } } } as unknown as AnyHandlers;
    service = await startService('atlas', database, handlers);
    for (const as of [ann, bob]) await service.request('POST', '/v1/travellers', { as, body: { nickname: as.sub } });
    for (const id of ['FR', 'DE']) await put(`/v1/countries/${id}`, { id, name: id });
  });
  afterAll(() => service.close());

  const put = (url: string, body: object, as: object = staff, headers = {}) =>
    service.request('PUT', url, { as, body, headers });
  const replaceCountry = async (args: object, as: object = staff) => {
    const query = `mutation ($id: ID!, $input: CountryInput!, $ifVersion: Int, $ifAbsent: Boolean) {
      replaceCountry(id: $id, input: $input, ifVersion: $ifVersion, ifAbsent: $ifAbsent) { id version name }
    }`;
    const { data, errors } = await service.graphql(query, { as, variables: args });
    return errors?.[0]?.extensions ?? data.replaceCountry;
  };

  it('answers 201 with Location for a new id, and 200 for one that is there', async () => {
    const made = await put('/v1/countries/NO', { id: 'NO', name: 'Norway' });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/v1/countries/NO', etag: expect.stringMatching(/^"1\.[\w-]+"$/) },
    });
    const again = await put('/v1/countries/NO', { id: 'NO', name: 'Norge' });
    expect(again).toMatchObject({ status: 200, body: { id: 'NO', version: 2, name: 'Norge' } });
    expect(again.headers).not.toHaveProperty('location');
    expect(await replaceCountry({ id: 'SE', input: { id: 'SE', name: 'Sweden' } })).toEqual({
      id: 'SE',
      version: 1,
      name: 'Sweden',
    });
    expect(await replaceCountry({ id: 'SE', input: { id: 'SE', name: 'Sverige' } })).toMatchObject({ version: 2 });
  });

  it('creates only, if asked to', async () => {
    const once = { 'if-none-match': '*' };
    const body = { id: 'FI', name: 'Finland' };
    expect((await put('/v1/countries/FI', body, staff, once)).status).toBe(201);
    const again = await put('/v1/countries/FI', { ...body, name: 'Suomi' }, staff, once);
    expect(again).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect(await replaceCountry({ id: 'FI', input: body, ifAbsent: true })).toMatchObject({ status: 412 });
    expect(await replaceCountry({ id: 'IS', input: { ...body, id: 'IS' }, ifAbsent: true })).toMatchObject({
      version: 1,
    });
  });

  it('replaces only, if a version is expected', async () => {
    const body = { id: 'DK', name: 'Denmark' };
    expect((await put('/v1/countries/DK', body, staff, { 'if-match': '*' })).status).toBe(412);
    expect((await put('/v1/countries/DK', body, staff, { 'if-match': '"1"' })).status).toBe(412);
    expect(await replaceCountry({ id: 'DK', input: body, ifVersion: 1 })).toMatchObject({ status: 412 });
    expect((await service.request('GET', '/v1/countries/DK')).status).toBe(404);
  });

  it('needs the access of creating to create', async () => {
    expect((await put('/v1/countries/FR', { id: 'FR', name: 'France' }, ann)).status).toBe(200);
    const refused = await put('/v1/countries/PT', { id: 'PT', name: 'Portugal' }, ann);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const input = { id: 'PT', name: 'Portugal' };
    expect(await replaceCountry({ id: 'PT', input }, ann)).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('gives the id of the path, which the body may repeat', async () => {
    const id = '0198c0de-7c00-7000-8000-0000000000b1';
    const made = await put(`/v1/trips/${id.toUpperCase()}`, { countryId: 'FR', title: 'Summer' }, ann);
    expect(made).toMatchObject({ status: 201, headers: { location: `/v1/trips/${id}` } });
    expect(made.body).toMatchObject({ id, travellerId: ann.sub, days: 7 });
    const other = await put('/v1/countries/ES', { id: 'IT', name: 'Spain' });
    expect(other).toMatchObject({ status: 422, body: { code: 'IMMUTABLE_PROPERTY', errors: [{ pointer: '/id' }] } });
    expect((await put('/v1/countries/es', { id: 'es', name: 'Spain' })).status).toBe(400);
  });

  it('conflicts with a row that the caller cannot see', async () => {
    const id = '0198c0de-7c00-7000-8000-0000000000b2';
    const input = { countryId: 'FR', title: 'Secret' };
    expect((await put(`/v1/trips/${id}`, input, ann)).status).toBe(201);
    expect(await put(`/v1/trips/${id}`, input, bob)).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
    const { errors } = await service.graphql(
      'mutation ($id: ID!, $input: TripInput!) { replaceTrip(id: $id, input: $input) { id } }',
      { as: bob, variables: { id, input } },
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 });
  });

  it('creates below a parent that is there, by the override of create', async () => {
    const made = await put('/v1/countries/FR/cities/lyon', { id: 'lyon', name: 'quiet' });
    expect(made).toMatchObject({ status: 201, headers: { location: '/v1/countries/FR/cities/lyon' } });
    expect(made.body).toMatchObject({ countryId: 'FR', name: 'QUIET' });
    expect((await put('/v1/countries/XX/cities/bern', { id: 'bern', name: 'Bern' })).status).toBe(404);
    expect((await put('/v1/countries/DE/cities/lyon', { id: 'lyon', name: 'L' })).body.code).toBe('ALREADY_EXISTS');
  });

  it('is asked by two at once: one creates, and both succeed', async () => {
    const names = ['one', 'two', 'three'];
    const replies = await Promise.all(names.map((name) => put('/v1/countries/GR', { id: 'GR', name })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect((await service.request('GET', '/v1/countries/GR')).body.version).toBe(3);
  });

  it('tells of the creation, and not of a change', async () => {
    const port = await service.listen();
    const followed = ['countryCreated', 'countryUpdated(id: "MT")'].map(async (field) => {
      const query = encodeURIComponent(`subscription { ${field} { id } }`);
      const aborted = AbortSignal.timeout(20_000);
      const url = `http://127.0.0.1:${port}/graphql?query=${query}`;
      const reply = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: aborted });
      return reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    });
    const [created, updated] = await Promise.all(followed);
    await put('/v1/countries/MT', { id: 'MT', name: 'Malta' });
    await put('/v1/countries/MT', { id: 'MT', name: 'Valletta' });
    for (const [reader, field] of [
      [created!, 'countryCreated'],
      [updated!, 'countryUpdated'],
    ] as const) {
      let text = '';
      while (!text.includes('"data"')) text += (await reader.read()).value ?? '';
      expect(text.match(/"data":\{[^}]*\}/g)).toEqual([`"data":{"${field}":{"id":"MT"}`]);
      await reader.cancel();
    }
  });
});
