import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { formatFindings } from '../../../src/compiler/findings/report.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import type { Json } from '../../support/library.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const lot =
  '{ type: object, required: [id, version, createdAt, updatedAt, name], properties: { id: { type: string, format: uuid, readOnly: true }, version: { type: integer, minimum: 1, readOnly: true }, createdAt: { type: string, format: date-time, readOnly: true }, updatedAt: { type: string, format: date-time, readOnly: true }, name: { type: string, maxLength: 9 } } }';
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const json = (name: string): string => `{ application/json: { schema: ${ref(name)} } }`;
const lotId = '{ name: lotId, in: path, required: true, schema: { type: string, format: uuid } }';

const OPENAPI = `openapi: 3.1.0
info: { title: Trades, version: 1.0.0 }
servers: [{ url: /v1 }]
security: []
paths:
  /lots:
    get:
      operationId: listLots
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
        - { name: cursor, in: query, schema: { type: string } }
        - { name: name, in: query, schema: { type: string, maxLength: 9 } }
      responses: { '200': { description: Lots., content: ${json('LotPage')} } }
    post:
      operationId: createLot
      requestBody: { required: true, content: ${json('LotInput')} }
      responses: { '201': { description: The lot., content: ${json('Lot')} } }
  /lots/{lotId}:
    get:
      operationId: getLot
      parameters: [${lotId}]
      responses: { '200': { description: The lot., content: ${json('Lot')} } }
  /lots/{lotId}/value:
    get:
      operationId: getValue
      parameters: [${lotId}]
      responses: { '200': { description: Its value., content: ${json('Value')} } }
  /lots/{lotId}/grade:
    get:
      operationId: getGrade
      parameters: [${lotId}]
      responses: { '200': { description: Its grade., content: ${json('Value')} } }
  /quotes:
    post:
      operationId: quote
      requestBody: { required: true, content: ${json('QuoteInput')} }
      responses:
        '200': { description: A quote., headers: { X-Desk: { schema: { type: string } } }, content: ${json('Value')} }
        '202': { description: Later., headers: { Retry-After: { schema: { type: string } } } }
  /sales:
    post:
      operationId: sell
      requestBody: { required: true, content: ${json('SaleInput')} }
      responses: { '200': { description: Sold., content: ${json('Value')} } }
  /searches:
    post:
      operationId: search
      requestBody: { required: true, content: ${json('SaleInput')} }
      responses: { '200': { description: Found., content: ${json('Value')} } }
  /labels:
    post:
      operationId: label
      requestBody: { required: true, content: { application/vnd.trade+json: { schema: ${ref('QuoteInput')} } } }
      responses: { '200': { description: Labelled., content: { application/vnd.trade+json: { schema: ${ref('Value')} } } } }
  /clearances:
    post:
      operationId: clear
      responses: { '204': { description: Cleared. } }
  /statuses:
    get:
      operationId: getStatus
      responses: { '200': { description: With a status of its own., content: ${json('Status')} } }
  /doubles:
    post:
      operationId: double
      x-parity: { graphql: absent, because: A test of what only HTTP has. }
      parameters: [{ name: input, in: query, schema: { type: string } }]
      requestBody: { required: true, content: ${json('SaleInput')} }
      responses: { '200': { description: Doubled., content: ${json('Value')} } }
  /elsewhere:
    get:
      operationId: goElsewhere
      x-parity: { graphql: absent, because: A test of what only HTTP has. }
      responses: { '302': { description: Elsewhere., headers: { Location: { schema: { type: string } } } } }
components:
  schemas:
    Lot: ${lot}
    LotInput: { type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } }
    LotPage:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: ${ref('Lot')} }
        page: { type: object, required: [nextCursor], properties: { nextCursor: { type: [string, 'null'] } } }
    Value: { type: object, required: [amount], properties: { amount: { type: integer } } }
    Status: { type: object, required: [status], properties: { status: { type: integer }, body: { type: string } } }
    QuoteInput: { type: object, required: [words], properties: { words: { type: integer } } }
    SaleInput: { type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } }
`;

const SDL = `
scalar SafeInt
scalar DateTime
type Query {
  lot(id: ID!): Lot
  lots(first: Int = 20, after: String, filter: LotFilter): LotConnection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"])
  search(input: SaleInput!): Value! @operation(id: "search")
  status: Status! @operation(id: "getStatus")
}
type Mutation {
  createLot(input: LotInput!): Lot!
  quote(input: QuoteInput!): Value @operation(id: "quote")
  sell(input: SaleInput!): Value! @operation(id: "sell")
  label(input: QuoteInput!): Value! @operation(id: "label")
  clear: Boolean! @operation(id: "clear")
}
type Lot {
  id: ID! version: Int! createdAt: DateTime! updatedAt: DateTime! name: String!
  value: Value! @operation(id: "getValue")
  grade: Value! @operation(id: "getGrade")
}
type LotConnection { edges: [LotEdge!]! nodes: [Lot!]! pageInfo: PageInfo! }
type LotEdge { cursor: String! node: Lot! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
input LotFilter { name: String }
input LotInput { name: String! }
input QuoteInput { words: SafeInt! }
input SaleInput { name: String! }
type Value { amount: SafeInt! }
type Status { status: SafeInt! body: String }
`;

const modelOf = (openapi: string, sdl: string) =>
  withFolder({ 'openapi.yaml': openapi, 'schema.graphql': sdl }, modelContract);

/** How often `each` has been called, with how many inputs. */
let levels: number[] = [];
/** What `sell` does beyond writing a row. */
let sale: (input: Json, context: Json) => unknown;

const whole = {
  operations: {
    getValue: {
      each: async (inputs: Json, { store }: Json) => {
        levels.push(inputs.length);
        const lots = await store.lots.list({ id: inputs.map((one: Json) => one.lotId) });
        return inputs.map((one: Json) => {
          const name = lots.find(({ id }: Json) => id === one.lotId)?.name;
          return name === undefined || name === 'lost' ? new ApiError('NOT_FOUND') : { amount: name.length };
        });
      },
    },
    getGrade: async ({ lotId: id }: Json, { store }: Json) => {
      const found = await store.lots.get(id);
      if (!found || found.name === 'lost') throw new ApiError('NOT_FOUND');
      return { amount: found.name.length };
    },
    quote: ({ input }: Json, { reply }: Json) =>
      reply(
        input.words > 0
          ? { status: 200, headers: { 'x-desk': 'north' }, body: { amount: input.words } }
          : { status: 202, headers: { 'retry-after': '7' } },
      ),
    sell: async ({ input }: Json, context: Json) => {
      await context.store.lots.create({ name: input.name });
      return sale(input, context);
    },
    search: async ({ input }: Json, { store }: Json) => {
      if (input.name === 'write') await store.lots.create({ name: 'A' });
      return { amount: await store.lots.count({ name: input.name }) };
    },
    label: ({ input }: Json) => ({ amount: input.words }),
    clear: () => undefined,
    getStatus: () => ({ status: 5, body: 'mine' }),
  },
  routes: {
    double: async ({ query, body }: Json, { transaction }: Json) => {
      await transaction(({ store }: Json) => store.lots.create({ name: body.name }));
      return { status: 200, body: { amount: query.input.length + body.name.length } };
    },
    goElsewhere: () => ({ status: 302, headers: { location: '/v1/lots' } }),
  },
};
const handlers = whole as unknown as AnyHandlers;

describe.each(databases)('an operation answers on $name', (database) => {
  let service: Service;
  beforeAll(async () => {
    const { model, findings } = await modelOf(OPENAPI, SDL);
    expect(formatFindings(findings.filter(({ severity }) => severity === 'error'))).toBe('0 errors, 0 warnings');
    service = await startCompiled(model!, database, handlers);
  });
  afterAll(() => service.close());
  beforeEach(() => {
    levels = [];
    sale = () => ({ amount: 1 });
  });

  const post = (path: string, body: object) => service.request('POST', `/v1${path}`, { body });
  const countOf = async (name: string): Promise<number> => (await post('/searches', { name })).body.amount;
  const sell = (name: string) => service.graphql(`mutation { sell(input: { name: "${name}" }) { amount } }`);
  const made = async (name: string): Promise<string> => (await post('/lots', { name })).body.id;

  it('with one of several successes, of which GraphQL shows the body alone', async () => {
    const answered = await post('/quotes', { words: 3 });
    expect([answered.status, answered.headers['x-desk'], answered.body]).toEqual([200, 'north', { amount: 3 }]);
    const later = await post('/quotes', { words: 0 });
    expect([later.status, later.headers['retry-after'], later.text]).toEqual([202, '7', '']);
    const document =
      'mutation { now: quote(input: { words: 3 }) { amount } later: quote(input: { words: 0 }) { amount } }';
    expect((await service.graphql(document)).data).toEqual({ now: { amount: 3 }, later: null });
  });

  it('with JSON of any type', async () => {
    const headers = { 'content-type': 'application/vnd.trade+json' };
    const { status, body } = await service.request('POST', '/v1/labels', { body: { words: 4 }, headers });
    expect([status, body]).toEqual([200, { amount: 4 }]);
    const { data } = await service.graphql('mutation { label(input: { words: 4 }) { amount } }');
    expect(data).toEqual({ label: { amount: 4 } });
  });

  it('nothing, which is true over GraphQL', async () => {
    expect((await post('/clearances', {})).status).toBe(415);
    expect((await service.request('POST', '/v1/clearances')).status).toBe(204);
    expect((await service.graphql('mutation { clear }')).data).toEqual({ clear: true });
  });

  it('a body with properties that a whole answer had', async () => {
    expect((await service.request('GET', '/v1/statuses')).body).toEqual({ status: 5, body: 'mine' });
    expect((await service.graphql('{ status { status body } }')).data.status).toEqual({ status: 5, body: 'mine' });
  });

  it('for all parents of a level at once, and over REST for one', async () => {
    const names = ['each1', 'lost', 'each345'];
    const ids = await Promise.all(names.map(made));
    const aliases = ids.map((id, i) => `l${i}: lot(id: "${id}") { value { amount } }`);
    const { data, errors } = await service.graphql(`{ ${aliases.join(' ')} }`);
    expect(data).toEqual({ l0: { value: { amount: 5 } }, l1: null, l2: { value: { amount: 7 } } });
    expect(errors).toMatchObject([{ path: ['l1', 'value'], extensions: { code: 'NOT_FOUND' } }]);
    levels = [];
    const document = 'query ($name: String) { lots(filter: { name: $name }) { nodes { value { amount } } } }';
    await made('each1');
    const listed = await service.graphql(document, { variables: { name: 'each1' } });
    expect(listed.data.lots.nodes).toEqual([{ value: { amount: 5 } }, { value: { amount: 5 } }]);
    expect(levels).toEqual([2]);
    levels = [];
    expect((await service.request('GET', `/v1/lots/${ids[2]}/value`)).body).toEqual({ amount: 7 });
    expect((await service.request('GET', `/v1/lots/${ids[1]}/value`)).body.code).toBe('NOT_FOUND');
    expect(levels).toEqual([1, 1]);
  });

  it('for each parent by a plain function, whose errors fail one alone', async () => {
    const ids = [await made('plain'), await made('lost')];
    const aliases = ids.map((id, i) => `l${i}: lot(id: "${id}") { grade { amount } }`);
    const { data, errors } = await service.graphql(`{ ${aliases.join(' ')} }`);
    expect(data).toEqual({ l0: { grade: { amount: 5 } }, l1: null });
    expect(errors).toMatchObject([{ path: ['l1', 'grade'], extensions: { code: 'NOT_FOUND' } }]);
  });

  it.each([
    ['of another type', () => ({ amount: 'much' })],
    ['without what is required', () => ({})],
    ['that is missing', () => undefined],
    ['in the shape of a whole answer', () => ({ status: 200, body: { amount: 1 } })],
    ['with a status that is no success', (_: Json, { reply }: Json) => reply({ status: 404 })],
    ['that is thrown', () => Promise.reject(new Error('secret'))],
  ])('nothing that the contract does not allow, and takes its writes back: a body %s', async (_, answer) => {
    sale = answer as never;
    const rest = await post('/sales', { name: 'taken' });
    expect([rest.status, rest.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    const { errors } = await sell('taken');
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_ERROR' } }]);
    expect(await countOf('taken')).toBe(0);
  });

  it('with errors whose places are arguments over GraphQL', async () => {
    const errors = [
      { pointer: '/name', detail: 'is sold' },
      { pointer: '', detail: 'is too late' },
      { parameter: 'day', detail: 'is past' },
    ];
    sale = () => {
      throw new ApiError('VALIDATION_FAILED', { errors });
    };
    expect((await post('/sales', { name: 'gone' })).body.errors).toEqual(errors);
    expect((await sell('gone')).errors![0]!.extensions.errors).toEqual([
      { argument: 'input.name', detail: 'is sold' },
      { argument: 'input', detail: 'is too late' },
      errors[2],
    ]);
  });

  it('reading only, if it has a field of Query, whatever its method is', async () => {
    expect((await post('/searches', { name: 'write' })).body.code).toBe('INTERNAL_ERROR');
    expect((await service.graphql('{ search(input: { name: "write" }) { amount } }')).errors).toHaveLength(1);
    expect(await countOf('A')).toBe(0);
  });

  it('as a route, where only HTTP has its inputs or answers', async () => {
    expect((await post('/doubles?input=abc', { name: 'de' })).body).toEqual({ amount: 5 });
    expect(await countOf('de')).toBe(1);
    const { status, headers } = await service.request('GET', '/v1/elsewhere');
    expect([status, headers.location]).toEqual([302, '/v1/lots']);
  });
});

describe('a server', () => {
  it('that checks no answers refuses a whole answer all the same, and its log has the edit', async () => {
    const { model } = await modelOf(OPENAPI, SDL);
    const failures: unknown[] = [];
    const options = { checkResponses: false, reportFailure: (thrown: unknown) => void failures.push(thrown) };
    const service = await startCompiled(model!, databases[0]!, handlers, options);
    sale = () => ({ status: 200, body: { amount: 1 } });
    const { status } = await service.request('POST', '/v1/sales', { body: { name: 'old' } });
    expect(status).toBe(500);
    expect(String(failures[0])).toContain('sell answered { status, body }. Return the body alone: `return body;`');
    await service.close();
  });

  it('refuses an `each` that does not answer each call', async () => {
    const { model } = await modelOf(OPENAPI, SDL);
    const getValue = { each: () => [{ amount: 1 }, { amount: 2 }] };
    const operations = { ...whole.operations, getValue };
    const service = await startCompiled(model!, databases[0]!, { ...whole, operations } as unknown as AnyHandlers);
    const id = '01941f29-7c00-7a10-8c57-00000000000a';
    expect((await service.request('GET', `/v1/lots/${id}/value`)).body.code).toBe('INTERNAL_ERROR');
    await service.close();
  });

  const { operations, routes } = whole;
  const { sell: _, ...others } = operations;
  const { double, ...redirects } = routes;
  it.each([
    ['a missing function', { operations: others, routes }, 'No handler for sell (handlers.operations)'],
    ['a missing route', { operations, routes: redirects }, 'No handler for double (handlers.routes)'],
    [
      'a function where a route belongs',
      { operations: { ...operations, double }, routes: redirects },
      'handlers.operations.double: only HTTP has its inputs or answers; move it to handlers.routes',
    ],
    [
      'a field beside its operation',
      { ...whole, fields: { Mutation: { sell: () => ({}) } } },
      'handlers.fields.Mutation.sell: handlers.operations.sell answers it; delete it',
    ],
    [
      'an `each` that is no function',
      { ...whole, operations: { ...operations, sell: { each: 5 } } },
      'handlers.operations.sell is neither a function nor an object with a function `each`',
    ],
  ])('does not boot with %s', async (_name, given, message) => {
    const { model } = await modelOf(OPENAPI, SDL);
    await expect(startCompiled(model!, databases[0]!, given as unknown as AnyHandlers)).rejects.toThrow(message);
  });
});

describe('a contract', () => {
  const edited = (text: string, from: string, to: string): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  const header = 'parameters: [{ name: X-Desk, in: header, required: true, schema: { type: string } }]\n      ';

  it.each([
    [
      'a field that must not be null of an operation that may answer without content',
      OPENAPI,
      edited(SDL, 'Value @operation(id: "quote")', 'Value! @operation(id: "quote")'),
      ['parity-return'],
    ],
    [
      'an argument that its operation lacks, declared or not',
      OPENAPI,
      edited(
        SDL,
        'sell(input: SaleInput!)',
        'sell(input: SaleInput!, more: String @parity(rest: ABSENT, because: "A test of more."))',
      ),
      ['parity-argument'],
    ],
    [
      'a required header field without an argument',
      edited(OPENAPI, 'operationId: sell\n      ', `operationId: sell\n      ${header}`),
      SDL,
      ['parity-argument'],
    ],
    [
      'a field of a type that does not have its path parameter',
      edited(
        edited(OPENAPI, '/lots/{lotId}/grade', '/grades/{gradeId}'),
        `getGrade\n      parameters: [${lotId}]`,
        `getGrade\n      parameters: [${lotId.replace('lotId', 'gradeId')}]`,
      ),
      SDL,
      ['parity-argument'],
    ],
    [
      'a field of successes with different schemas',
      edited(
        OPENAPI,
        "'202': { description: Later., headers",
        `'201': { description: More., content: ${json('Status')} }\n        '202': { description: Later., headers`,
      ),
      SDL,
      ['parity-custom'],
    ],
    [
      'an operation of two inputs of one name that is not said to lack a field',
      edited(
        OPENAPI,
        'operationId: double\n      x-parity: { graphql: absent, because: A test of what only HTTP has. }\n',
        'operationId: double\n',
      ),
      SDL,
      ['parity-custom'],
    ],
  ])('does not have %s', async (_name, openapi, sdl, rules) => {
    const { findings } = await modelOf(openapi, sdl);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(rules);
  });
});
