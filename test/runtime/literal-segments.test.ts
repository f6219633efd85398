import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wantedBy } from '../../src/runtime/judged-contract.ts';
import { migrateDatabase, planDatabase } from '../../src/runtime/storage/database/database.ts';
import { databases } from '../support/databases.ts';
import { type Edit, editedContract } from '../support/edited-contract.ts';
import { emptyPlaceEach, execute, places } from '../support/places.ts';
import { type As, type Service, startCompiled } from '../support/service.ts';
import { called, callOf } from '../support/tools.ts';

const as: As = { sub: 'ann', scope: 'festival:write', claims: { festival: 'spring' } };
const OFFERED: Edit = ['openapi.yaml', 'info: {', 'info: { x-mcp: { offer: [read, create, replace] }, '];
/** Venues of the festival beside whose paths there is another one. */
const STATS: Edit = [
  'openapi.yaml',
  '  /venues/{code}:\n',
  `  /venues/stats:
    get:
      operationId: getVenueStats
      x-parity: { graphql: absent, because: Agents and pages read it. }
      responses:
        '200':
          description: Numbers.
          content: { application/json: { schema: { type: object, properties: { halls: { type: integer } } } } }
  /venues/{code}:
`,
];
const venue = (code: string) => ({ code, name: 'Barn', city: 'Ulm', capacity: 10 });

describe.each(databases)('a literal in the place of a text that names rows, on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    const operations = { getVenueStats: () => ({ halls: 3 }) };
    service = await startCompiled(await editedContract('festival', [OFFERED, STATS]), database, {
      operations,
    } as never);
  });
  afterAll(() => service.close());

  it('names no row over REST', async () => {
    expect((await service.request('GET', '/v1/venues/stats', { as })).body).toEqual({ halls: 3 });
    const { status, body } = await service.request('POST', '/v1/venues', { as, body: venue('stats') });
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', '/code']);
    expect((await service.request('PUT', '/v1/venues/stats', { as, body: venue('stats') })).status).toBe(405);
  });

  it('names no row over GraphQL', async () => {
    const created = await service.graphql('mutation($input: VenueInput!) { createVenue(input: $input) { id } }', {
      as,
      variables: { input: venue('stats') },
    });
    expect(created.errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ argument: 'input.code' }],
    });
    const read = await service.graphql('{ venue(code: "stats") { id } }', { as });
    expect(read.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ argument: 'code' }] });
  });

  it('names no row for agents', async () => {
    const message = callOf('createVenue', { input: venue('stats') });
    const { isError, value } = called(await service.request('POST', '/mcp', { as, body: message }));
    expect([isError, value.code, value.errors[0].argument]).toEqual([true, 'VALIDATION_FAILED', 'input.code']);
  });

  it('leaves all other texts as they are', async () => {
    for (const code of ['stats2', 'sta', 'halls']) {
      expect((await service.request('POST', '/v1/venues', { as, body: venue(code) })).status).toBe(201);
      expect((await service.request('GET', `/v1/venues/${code}`, { as })).body.code).toBe(code);
    }
  });
});

describe.each(places)('a literal that rows of $name have for a name', (place) => {
  const here = emptyPlaceEach(place);

  it('is found by the plan, with their number', async () => {
    const before = wantedBy(await editedContract('festival', [OFFERED]));
    const now = wantedBy(await editedContract('festival', [OFFERED, STATS]));
    await migrateDatabase(here.location, before, here.folder, { mayDrop: true });
    const columns = 'id, version, created_at, updated_at, festival_id, code, name, city, capacity';
    const time = "'2026-01-01T00:00:00.000Z'";
    const rows = ['stats', 'barn'].map(
      (code, i) => `('00000000-0000-7000-8000-00000000000${i}', 1, ${time}, ${time}, 'spring', '${code}', 'A', 'B', 1)`,
    );
    await execute(here.location, `insert into venues (${columns}) values ${rows.join(', ')}`);
    const { differences } = await planDatabase(here.location, now, here.folder);
    const [found, ...more] = differences.filter(({ isHarmless }) => !isHarmless);
    expect(found?.what).toContain('code must not be of this form: 1 row');
    expect(more).toEqual([]);
  });
});
