import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type As, type Service, startService, tokenOf } from '../../support/service.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';

const of = (n: number, festival: string | undefined, scope = 'festival:write'): As => ({
  sub: `01941f29-7c00-7a10-8c57-00000000000${n}`,
  scope,
  claims: festival === undefined ? {} : { festival },
});
const north = of(1, 'north');
const south = of(2, 'south');
const ACROSS = 'festival:write festivals:operate';
const operators = [
  ['of another tenant', of(3, 'south', ACROSS)],
  ['of none', of(4, undefined, ACROSS)],
] as const;

type Hidden = readonly [method: string, path: string, query: string, body?: object];

describe.each(layoutDatabases)('a key in the path, on $name,', (database) => {
  let service: Service;
  let port: number;
  const ids: Record<string, string> = {};
  const venue = (code: string, annexId?: string) => ({ code, name: code, city: 'Ulm', capacity: 1, annexId });
  const make = async (as: As, path: string, body: object): Promise<string> => {
    const reply = await service.request('POST', `/v1${path}`, { as, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  };

  beforeAll(async () => {
    service = await startService('festival', database);
    port = await service.listen();
    ids['both north'] = await make(north, '/venues', venue('both'));
    ids['both south'] = await make(south, '/venues', venue('both'));
    ids['main'] = await make(north, '/venues', venue('main', ids['both north']));
    ids['hall'] = await make(north, '/venues/main/halls', { title: 'Red' });
  });
  afterAll(() => service.close());

  const HIDDEN: readonly Hidden[] = [
    ['GET', '/venues/main', '{ venue(code: "main") { id } }'],
    ['PATCH', '/venues/main', 'mutation { updateVenue(code: "main", input: { city: "X" }) { id } }', { city: 'X' }],
    ['DELETE', '/venues/main', 'mutation { deleteVenue(code: "main") }'],
    ['GET', '/venues/main/halls', '{ venue(code: "main") { halls { nodes { id } } } }'],
    [
      'POST',
      '/venues/main/halls',
      'mutation { createHall(code: "main", input: { title: "X" }) { id } }',
      { title: 'X' },
    ],
    ['GET', '/venues/main/halls/HALL', '{ hall(code: "main", id: "HALL") { id } }'],
    ['DELETE', '/venues/main/halls/HALL', 'mutation { deleteHall(code: "main", id: "HALL") }'],
  ];

  describe.each(operators)('for a caller %s who sees all tenants,', (_, operator) => {
    it.each(HIDDEN.map(([method, path, query, body]) => ({ method, path, query, body })))(
      'names no row of another tenant: $method $path',
      async ({ method, path, query, body }) => {
        const named = (text: string) => text.replace('HALL', ids['hall']!);
        const reply = await service.request(method, `/v1${named(path)}`, { as: operator, ...(body && { body }) });
        expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
        const { errors } = await service.graphql(named(query), { as: operator });
        expect(errors![0]!.extensions.code).toBe('NOT_FOUND');
      },
    );

    it('hides nothing of what lists, references and events tell', async () => {
      const { body } = await service.request('GET', '/v1/venues?sort=name', { as: operator });
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ids['main']]));
      const { data } = await service.graphql('{ venues { nodes { id annex { id } halls { nodes { id } } } } }', {
        as: operator,
      });
      expect(data.venues.nodes).toContainEqual({
        id: ids['main'],
        annex: { id: ids['both north'] },
        halls: { nodes: [{ id: ids['hall'] }] },
      });
    });

    it('tells of changes to rows that it does not name', async () => {
      const query = encodeURIComponent('subscription { venueUpdated { code city } }');
      const end = new AbortController();
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${tokenOf(operator)}` };
      const url = `http://127.0.0.1:${port}/graphql?query=${query}`;
      const reply = await fetch(url, { headers, signal: end.signal });
      expect(reply.status).toBe(200);
      let told = '';
      const reading = (async () => {
        const reader = reply.body!.getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read())
          told += Buffer.from(part.value).toString();
      })().catch(() => undefined);
      const city = `City ${operator.sub.at(-1)}`;
      await service.request('PATCH', '/v1/venues/main', { as: north, body: { city } });
      await eventually(() => expect(told).toContain(`{"code":"main","city":"${city}"}`));
      end.abort();
      await reading;
    });
  });

  it('names the row of the own tenant where another has the same', async () => {
    for (const [as, id] of [
      [north, ids['both north']],
      [south, ids['both south']],
      [operators[0][1], ids['both south']],
    ] as const) {
      expect((await service.request('GET', '/v1/venues/both', { as })).body.id).toBe(id);
      expect((await service.graphql('{ venue(code: "both") { id } }', { as })).data).toEqual({ venue: { id } });
    }
  });
});
