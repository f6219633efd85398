import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type Service, startCompiled, startService } from '../../support/service.ts';

const staff = { sub: 'staff', scope: 'atlas:write trips:admin' };
const ann = { sub: 'auth0|ann', scope: '' };
const BEYOND = 'must be at most 9007199254740991';
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
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/v1/countries/ES', etag: expect.stringMatching(/^"1\.[\w-]+"$/) },
    });
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

describe.each(databases)('ids that tokens give, on $name,', (database) => {
  it('are taken by the first row of their caller', async () => {
    await using stack = new AsyncDisposableStack();
    const contract = await editedContract('atlas', [
      ['openapi.yaml', 'maxLength: 60, x-unique: true', 'maxLength: 60'],
    ]);
    const service = await startCompiled(contract, database);
    stack.defer(() => service.close());
    const body = { nickname: 'Ann' };
    const create = () => service.request('POST', '/v1/travellers', { as: ann, body });
    expect(await create()).toMatchObject({ status: 201, body: { id: ann.sub } });
    expect(await create()).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
    const text = 'mutation ($input: TravellerInput!) { createTraveller(input: $input) { id } }';
    const { errors } = await service.graphql(text, { as: ann, variables: { input: body } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 });
  });
});

describe.each(databases)('ids that the database counts, on $name', (database) => {
  let service: Service;
  let tripId: string;

  beforeAll(async () => {
    const handlers = { overrides: { visits: { create: withOwnId } } } as unknown as AnyHandlers;
    service = await startService('atlas', database, handlers);
    await service.request('POST', '/v1/travellers', { as: ann, body: { nickname: 'ann' } });
    await service.request('POST', '/v1/countries', { as: staff, body: { id: 'FR', name: 'France' } });
    const trip = await service.request('POST', '/v1/trips', { as: ann, body: { countryId: 'FR', title: 'Summer' } });
    tripId = trip.body.id;
  });
  afterAll(() => service.close());

  const visit = (values: object = {}, headers = {}) =>
    service.request('POST', '/v1/visits', { as: staff, body: { tripId, place: 'Lyon', ...values }, headers });
  const note = (visitId: number, values: object = {}) =>
    service.request('POST', `/v1/visits/${visitId}/notes`, { as: staff, body: { text: 'Nice', ...values } });
  const graphql = (query: string, variables: object = {}) => service.graphql(query, { as: staff, variables });

  it('are numbers in JSON, rise, and stand in Location', async () => {
    const [first, second] = [await visit(), await visit()];
    expect(first).toMatchObject({ status: 201, headers: { location: `/v1/visits/${first.body.id}` } });
    expect(first.body.id).toSatisfy(Number.isSafeInteger);
    expect(second.body.id).toBeGreaterThan(first.body.id);
    expect((await service.request('GET', `/v1/visits/${first.body.id}`)).text).toBe(first.text);
  });

  it('are texts in GraphQL, which takes them as texts or as numbers', async () => {
    const { data } = await graphql(
      'mutation ($input: VisitInput!) { createVisit(input: $input) { id afterId place } }',
      { input: { tripId, place: 'Nantes', afterId: String((await visit()).body.id) } },
    );
    const { id, afterId } = data.createVisit;
    expect([id, afterId]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    const read = await graphql(`{ text: visit(id: "${id}") { id after { id } } number: visit(id: ${id}) { id } }`);
    expect(read.data).toEqual({ text: { id, after: { id: afterId } }, number: { id } });
    expect((await service.request('GET', `/v1/visits/${id}`)).body).toMatchObject({
      id: Number(id),
      afterId: Number(afterId),
    });
    const changed = await graphql(`mutation { updateVisit(id: "${id}", input: { afterId: null }) { id afterId } }`);
    expect(changed.data).toEqual({ updateVisit: { id, afterId: null } });
    expect((await graphql(`mutation { deleteVisit(id: "${id}") }`)).data).toEqual({ deleteVisit: id });
  });

  it('filter lists over both protocols, in the same order and with the same cursors', async () => {
    const first = (await visit()).body.id;
    const next = [await visit({ afterId: first }), await visit({ afterId: first }), await visit({ afterId: first })];
    const ids = next.map(({ body }) => body.id);
    const rest = await service.request('GET', `/v1/visits?afterId=${first}&limit=2&sort=id`);
    expect(rest.body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const { data } = await graphql(
      `query ($cursor: String, $ids: [ID!]) {
        visits(first: 2, after: $cursor, sort: [ID_ASC], filter: { afterId: $ids }) { nodes { id } }
        visit(id: "${first}") { next(first: 1) { nodes { id } totalCount } }
      }`,
      { cursor: rest.body.page.nextCursor, ids: [first] },
    );
    expect(data.visits.nodes).toEqual([{ id: String(ids[2]) }]);
    expect(data.visit.next).toEqual({ nodes: [{ id: String(ids[0]) }], totalCount: 3 });
  });

  it('are never given twice', async () => {
    const last = (await visit()).body.id;
    await service.request('DELETE', `/v1/visits/${last}`, { as: staff });
    expect((await visit()).body.id).toBeGreaterThan(last);
  });

  it('cannot be chosen by callers, but by hand-written code, from where the database counts on', async () => {
    expect((await visit({ id: 7 })).status).toBe(400);
    expect((await visit({ place: 'id 5000' })).body.id).toBe(5000);
    expect((await visit()).body.id).toBeGreaterThan(5000);
  });

  it('belong to the answer that an idempotency key repeats', async () => {
    const headers = { 'idempotency-key': 'a-visit' };
    expect((await visit({}, headers)).text).toBe((await visit({}, headers)).text);
  });

  it('are refused by both protocols in the same words where they are none', async () => {
    const faults = [
      ...['abc', '1.5', '01', '9'.repeat(400)].map((id) => [id, 'must be an integer']),
      ...['9007199254740992', '9007199254740993', '99999999999999999999'].map((id) => [id, BEYOND]),
    ];
    for (const [id, detail] of faults) {
      const rest = await service.request('GET', `/v1/visits/${id}`);
      expect(rest.body.errors).toEqual([{ parameter: 'visitId', detail }]);
      const { errors } = await graphql(`{ visit(id: "${id}") { id } }`);
      expect(errors?.[0]?.extensions.errors).toEqual([{ argument: 'id', detail }]);
    }
    expect((await visit({ afterId: 4_000_000 })).body.code).toBe('REFERENCE_NOT_FOUND');
    expect((await service.request('GET', '/v1/visits/4000000')).status).toBe(404);
  });

  it('are refused in the same words where a body or a filter refers to one beyond what JSON keeps', async () => {
    const id = '9007199254740993';
    const sent = await visit({ afterId: Number(id) });
    expect(sent.body.errors).toEqual([{ pointer: '/afterId', detail: BEYOND }]);
    const made = await graphql('mutation ($input: VisitInput!) { createVisit(input: $input) { id } }', {
      input: { tripId, place: 'Lyon', afterId: id },
    });
    expect(made.errors?.[0]?.extensions.errors).toEqual([{ argument: 'input.afterId', detail: BEYOND }]);
    const listed = await service.request('GET', `/v1/visits?afterId=${id}`);
    expect(listed.body.errors).toEqual([{ parameter: 'afterId', detail: BEYOND }]);
    const found = await graphql(`{ visits(filter: { afterId: "${id}" }) { nodes { id } } }`);
    expect(found.errors?.[0]?.extensions.errors).toEqual([{ argument: 'filter.afterId', detail: BEYOND }]);
  });

  it('of 64 bits are digits, and lose none', async () => {
    const parent = (await visit()).body.id;
    const made = await note(parent);
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^\d+$/), visitId: parent });
    const { properties } = service.contract.resources.find(({ key }) => key === 'visits.notes')!;
    const values: Record<string, string | number> = { ...made.body, id: '9007199254740993', text: 'Far' };
    const row = properties.map(({ name }) => values[name] ?? null);
    await service.store.transaction((transaction) => transaction.insertAll('visits.notes', [row]));
    const reply = await note(parent, { replyToId: '9007199254740993' });
    expect(reply.body.id).toMatch(/^900719925474099[4-9]$/);
    const { data } = await graphql(
      `{ note(visitId: "${parent}", id: "${reply.body.id}") { id visit { id } replyTo { id text } }
        visit(id: ${parent}) { notes(filter: { replyToId: ["9007199254740993"] }) { nodes { id } } } }`,
    );
    expect(data).toEqual({
      note: { id: reply.body.id, visit: { id: String(parent) }, replyTo: { id: '9007199254740993', text: 'Far' } },
      visit: { notes: { nodes: [{ id: reply.body.id }] } },
    });
    const listed = await service.request('GET', `/v1/visits/${parent}/notes`);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([
      made.body.id,
      '9007199254740993',
      reply.body.id,
    ]);
  });
});

/** An override that chooses an id itself. */
async function withOwnId(
  input: { readonly place: string },
  { store }: { readonly store: Record<string, { create(values: object): Promise<object> }> },
  next: (input: object) => Promise<object>,
): Promise<object> {
  const [, id] = /^id (\d+)$/.exec(input.place) ?? [];
  return id === undefined ? next(input) : store['visits']!.create({ ...input, id: Number(id) });
}
