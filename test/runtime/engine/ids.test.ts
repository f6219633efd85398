import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const staff = { sub: 'staff', scope: 'atlas:write trips:admin' };
const ann = { sub: 'auth0|ann', scope: '' };
const bob = { sub: 'auth0|bob', scope: '' };

/** Both protocols do the same: how a test asks either. */
const protocols = [
  {
    protocol: 'REST',
    create: async (service: Service, as: object, input: object) => {
      const { status, body } = await service.request('POST', '/v1/countries', { as, body: input });
      return status === 201 ? body : body.code;
    },
    get: async (service: Service, id: string) => {
      const { status, body } = await service.request('GET', `/v1/countries/${id}`);
      return status === 200 ? body : body.code;
    },
  },
  {
    protocol: 'GraphQL',
    create: async (service: Service, as: object, input: object) => {
      const query = 'mutation ($input: CountryInput!) { createCountry(input: $input) { id version name neighbourId } }';
      const { data, errors } = await service.graphql(query, { as, variables: { input } });
      return errors?.[0]?.extensions.code ?? data.createCountry;
    },
    get: async (service: Service, id: string) => {
      const { data, errors } = await service.graphql(`{ country(id: "${id}") { id version name neighbourId } }`);
      return errors?.[0]?.extensions.code ?? data.country;
    },
  },
] as const;

describe.each(databases)('ids that callers choose, on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService('atlas', database);
    for (const as of [ann, bob]) await service.request('POST', '/v1/travellers', { as, body: { nickname: as.sub } });
    for (const id of ['FR', 'DE']) await country(id);
  });
  afterAll(() => service.close());

  const post = (url: string, body: object, as: object = staff, headers = {}) =>
    service.request('POST', url, { as, body, headers });
  const country = (id: string, values: object = {}) => post('/v1/countries', { id, name: id, ...values });

  describe.each(protocols)('over $protocol', ({ protocol, create, get }) => {
    const id = protocol === 'REST' ? 'NO' : 'SE';

    it('are what a row is found by', async () => {
      expect(await create(service, staff, { id, name: 'North' })).toMatchObject({ id, version: 1, name: 'North' });
      expect(await get(service, id)).toMatchObject({ id, name: 'North' });
      expect(await get(service, 'XX')).toBe('NOT_FOUND');
    });

    it('are refused a second time', async () => {
      expect(await create(service, staff, { id, name: 'Again' })).toBe('ALREADY_EXISTS');
      expect(await get(service, id)).toMatchObject({ name: 'North', version: 1 });
    });

    it('have the form that the contract says, and must be sent', async () => {
      expect(await create(service, staff, { id: 'norway', name: 'North' })).toBe('VALIDATION_FAILED');
      expect(await create(service, staff, { name: 'North' })).toBe('VALIDATION_FAILED');
    });

    it('are what other rows refer to', async () => {
      const from = protocol === 'REST' ? 'FI' : 'DK';
      expect(await create(service, staff, { id: from, name: from, neighbourId: id })).toMatchObject({
        neighbourId: id,
      });
      expect(await create(service, staff, { id: 'AA', name: 'A', neighbourId: 'ZZ' })).toBe('REFERENCE_NOT_FOUND');
    });
  });

  it('stand in Location, ETag and errors', async () => {
    const made = await country('ES');
    expect(made).toMatchObject({ status: 201, headers: { location: '/v1/countries/ES', etag: '"1"' } });
    const again = await country('ES');
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS', errors: [{ pointer: '/id', detail: 'another Country has this id' }] },
    });
  });

  it('never change', async () => {
    await country('IT');
    const put = (body: object) => service.request('PUT', '/v1/countries/IT', { as: staff, body });
    expect(await put({ id: 'IT', name: 'Italia' })).toMatchObject({ status: 200, body: { id: 'IT', version: 2 } });
    expect(await put({ id: 'IS', name: 'Italia' })).toMatchObject({
      status: 422,
      body: { code: 'IMMUTABLE_PROPERTY', errors: [{ pointer: '/id' }] },
    });
    const patch = await service.request('PATCH', '/v1/countries/IT', {
      as: staff,
      body: { id: 'IS' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(patch.status).toBe(400);
  });

  it('identify sub-resources, in all parents together', async () => {
    const made = await post('/v1/countries/FR/cities', { id: 'paris', name: 'Paris' });
    expect(made).toMatchObject({ status: 201, headers: { location: '/v1/countries/FR/cities/paris' } });
    expect(made.body).toMatchObject({ id: 'paris', countryId: 'FR' });
    expect((await service.request('GET', '/v1/countries/DE/cities/paris')).status).toBe(404);
    expect((await post('/v1/countries/DE/cities', { id: 'paris', name: 'P' })).body.code).toBe('ALREADY_EXISTS');
    const { data } = await service.graphql(
      '{ country(id: "FR") { cities { nodes { id country { id } } } } city(countryId: "FR", id: "paris") { name } }',
    );
    expect(data).toEqual({
      country: { cities: { nodes: [{ id: 'paris', country: { id: 'FR' } }] } },
      city: { name: 'Paris' },
    });
  });

  it('order lists and make cursors, the same over both protocols', async () => {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.request('GET', `/v1/countries?limit=2${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      if (body.page.nextCursor === null) break;
      cursor = body.page.nextCursor;
      const { data } = await service.graphql(`{ countries(first: 2, after: "${cursor}") { nodes { id } } }`);
      const rest = await service.request('GET', `/v1/countries?limit=2&cursor=${cursor}`);
      expect(data.countries.nodes).toEqual(rest.body.data.map(({ id }: { id: string }) => ({ id })));
    }
    expect(ids.length).toBeGreaterThan(4);
    expect(ids).toEqual([...ids].sort());
  });

  it('are part of what an idempotency key stands for', async () => {
    const headers = { 'idempotency-key': 'a-country' };
    const first = await post('/v1/countries', { id: 'PT', name: 'Portugal' }, staff, headers);
    expect((await post('/v1/countries', { id: 'PT', name: 'Portugal' }, staff, headers)).text).toBe(first.text);
    const other = await post('/v1/countries', { id: 'PL', name: 'Portugal' }, staff, headers);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('may be left to the server where they are UUIDs', async () => {
    const id = '0198C0DE-7C00-7000-8000-0000000000AB';
    const input = { countryId: 'FR', title: 'Summer' };
    const sent = await post('/v1/trips', { id, ...input }, ann);
    expect(sent).toMatchObject({ status: 201, headers: { location: `/v1/trips/${id.toLowerCase()}` } });
    const made = await post('/v1/trips', input, ann);
    expect(made.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const kept = await service.request('PUT', `/v1/trips/${made.body.id}`, { as: ann, body: input });
    expect(kept).toMatchObject({ status: 200, body: { id: made.body.id } });
  });

  it('conflict with rows that the caller cannot see', async () => {
    const id = '0198c0de-7c00-7000-8000-0000000000ac';
    const input = { id, countryId: 'FR', title: 'Secret' };
    await post('/v1/trips', input, ann);
    expect((await service.request('GET', `/v1/trips/${id}`, { as: bob })).status).toBe(404);
    expect(await post('/v1/trips', input, bob)).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
    const { errors } = await service.graphql('mutation ($input: TripInput!) { createTrip(input: $input) { id } }', {
      as: bob,
      variables: { input },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 });
  });

  it('may be the subject of a token that is not a UUID', async () => {
    const mine = await service.request('GET', `/v1/travellers/${encodeURIComponent(ann.sub)}`, { as: ann });
    expect(mine).toMatchObject({ status: 200, body: { id: ann.sub } });
    const { data } = await service.graphql('{ trips { nodes { traveller { id nickname } } } }', { as: ann });
    expect(data.trips.nodes[0].traveller).toEqual({ id: ann.sub, nickname: ann.sub });
  });

  it('are released by a deletion', async () => {
    await country('GB', { neighbourId: 'FR' });
    expect((await service.request('DELETE', '/v1/countries/GB', { as: staff })).status).toBe(204);
    const { data } = await service.graphql(
      'mutation { createCountry(input: { id: "GB", name: "Again" }) { id } deleteCountry(id: "GB") }',
      { as: staff },
    );
    expect(data).toEqual({ createCountry: { id: 'GB' }, deleteCountry: 'GB' });
  });
});
