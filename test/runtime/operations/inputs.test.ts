import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { formatFindings } from '../../../src/compiler/findings/report.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const seen = (schema = '{ $ref: "#/components/schemas/Seen" }'): string =>
  `{ '200': { description: Seen., content: { application/json: { schema: ${schema} } } } }`;

const OPENAPI = `openapi: 3.1.0
info: { title: Trades, version: 1.0.0 }
servers: [{ url: /v1 }]
security: []
paths:
  /rates/{currency}:
    get:
      operationId: getRate
      parameters:
        - { name: currency, in: path, required: true, schema: { type: string } }
        - { name: max-days, in: query, schema: { allOf: [{ $ref: '#/components/schemas/Days' }] } }
        - { name: kind, in: query, schema: { enum: [mid-price, ask], default: mid-price } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: X-Desk, in: header, schema: { type: string, minLength: 2 } }
        - { name: X-Team, in: header, schema: { type: string } }
        - { name: theme, in: cookie, schema: { type: string } }
      responses: ${seen('{ $ref: "#/components/schemas/Rate" }')}
  /peers/{peer}/notes:
    get:
      operationId: getNotes
      parameters: [{ name: peer, in: path, required: true, schema: { type: string } }]
      responses: ${seen()}
  /rates/{currency}/history:
    get:
      operationId: getHistory
      parameters:
        - { name: currency, in: path, required: true, schema: { type: string } }
        - { name: days, in: query, schema: { type: integer, maximum: 9, default: 2 } }
      responses: ${seen()}
  /lots:
    post:
      operationId: createLot
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/LotInput' } } } }
      responses: { '201': { description: The lot., content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } } }
  /lots/{lotId}:
    get:
      operationId: getLot
      parameters: [{ name: lotId, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: The lot., content: { application/json: { schema: { $ref: '#/components/schemas/Lot' } } } } }
  /lots/{lotId}/value:
    get:
      operationId: getValue
      parameters: [{ name: lotId, in: path, required: true, schema: { type: integer } }]
      responses: ${seen()}
  /lots/{lotId}/orders:
    post:
      operationId: order
      parameters:
        - { name: lotId, in: path, required: true, schema: { type: integer } }
        - { name: If-Match, in: header, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/OrderInput' } } } }
      responses: ${seen()}
  /marks:
    post:
      operationId: mark
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties:
                text: { type: string }
                copies: { type: integer, default: 1 }
                note: { type: [string, 'null'] }
                place: { $ref: '#/components/schemas/PlaceInput' }
      responses: ${seen()}
components:
  schemas:
    Days: { type: integer, default: 5 }
    Seen: { type: object, required: [inputs], properties: { inputs: { type: string } } }
    Rate: { type: object, required: [currency, inputs], properties: { currency: { type: string }, inputs: { type: string }, peer: { type: string } } }
    Lot:
      type: object
      required: [id, version, createdAt, updatedAt, name]
      properties:
        id: { type: integer, readOnly: true }
        version: { type: integer, minimum: 1, readOnly: true }
        createdAt: { type: string, format: date-time, readOnly: true }
        updatedAt: { type: string, format: date-time, readOnly: true }
        name: { type: string, maxLength: 9 }
    LotInput: { type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } }
    OrderInput:
      type: object
      required: [items]
      properties:
        items: { type: array, items: { $ref: '#/components/schemas/ItemInput' } }
        priority: { enum: [low, top-most], default: low }
        place: { $ref: '#/components/schemas/PlaceInput' }
        wrap: { $ref: '#/components/schemas/Wrap' }
        note: { type: [string, 'null'] }
    ItemInput:
      type: object
      required: [code]
      properties:
        code: { type: string, maxLength: 3 }
        amount: { type: integer, default: 1 }
        grade: { $ref: '#/components/schemas/Grade' }
        place: { $ref: '#/components/schemas/PlaceInput' }
    Grade: { type: integer, default: 4 }
    PlaceInput: { type: object, properties: { street-name: { type: string }, country: { type: string, default: GB } } }
    Wrap:
      oneOf: [{ $ref: '#/components/schemas/Box' }, { $ref: '#/components/schemas/Bag' }]
      discriminator: { propertyName: kind }
    Box: { type: object, required: [kind], properties: { kind: { const: BOX }, edge: { type: integer, default: 7 } } }
    Bag: { type: object, required: [kind], properties: { kind: { const: BAG }, handles: { type: integer } } }
`;

const SDL = `
scalar SafeInt
scalar DateTime
type Query {
  lot(id: ID!): Lot
  rate(currency: String!, maxDays: SafeInt = 5, kind: Kind = mid_price, tags: [String!], xDesk: String): Rate @operation(id: "getRate")
  notes(peer: String!): Seen @operation(id: "getNotes")
  history(currency: String!, days: SafeInt = 2): Seen @operation(id: "getHistory")
}
type Mutation {
  createLot(input: LotInput!): Lot!
  order(lotId: SafeInt!, input: OrderInput!, ifVersion: Int): Seen! @operation(id: "order")
  mark(text: String!, copies: SafeInt = 1, note: String, place: PlaceInput): Seen! @operation(id: "mark")
}
type Lot { id: ID! version: Int! createdAt: DateTime! updatedAt: DateTime! name: String! value: Seen! @operation(id: "getValue") }
input LotInput { name: String! }
type Seen { inputs: String! }
type Rate { currency: String! inputs: String! peer: String notes: Seen @operation(id: "getNotes") history(days: SafeInt = 2): Seen! @operation(id: "getHistory") }
enum Kind { mid_price ask }
enum Priority { low top_most }
input OrderInput { items: [ItemInput!]! priority: Priority = low place: PlaceInput wrap: WrapInput note: String }
input ItemInput { code: String! amount: SafeInt = 1 grade: SafeInt = 4 place: PlaceInput }
input PlaceInput { streetName: String country: String = "GB" }
input WrapInput @oneOf { box: BoxInput bag: BagInput }
input BoxInput { edge: SafeInt = 7 }
input BagInput { handles: SafeInt }
`;

const shown = (inputs: object) => ({ inputs: JSON.stringify(inputs) });
const handlers = {
  operations: {
    getRate: (inputs: { readonly currency: string }) => ({
      currency: inputs.currency,
      ...(inputs.currency === 'EUR' && { peer: 'USD' }),
      ...shown(inputs),
    }),
    getHistory: shown,
    getNotes: shown,
    getValue: shown,
    order: shown,
    mark: shown,
  },
} as unknown as AnyHandlers;

// Custom operations alone: no database takes part.
const [database] = databases;

let service: Service;
beforeAll(async () => {
  const contract = await withFolder({ 'openapi.yaml': OPENAPI, 'schema.graphql': SDL }, async (folder) => {
    const { model, findings } = await modelContract(folder);
    expect(formatFindings(findings.filter(({ severity }) => severity === 'error'))).toBe('0 errors, 0 warnings');
    return model!;
  });
  service = await startCompiled(contract, database!, handlers);
});
afterAll(() => service.close());

/** The inputs of a request over REST. */
async function overRest(method: string, path: string, sent: object = {}): Promise<object> {
  const { status, text, body } = await service.request(method, `/v1${path}`, sent);
  expect(status, text).toBe(200);
  return JSON.parse(body.inputs);
}

/** The inputs of each field of a document over GraphQL. */
async function overGraphql(document: string): Promise<readonly object[]> {
  const { data, errors } = await service.graphql(document);
  expect(errors).toBeUndefined();
  return Object.values(data as Record<string, { inputs: string }>).map(({ inputs }) => JSON.parse(inputs));
}

const json = (body: object) => ({ body });

describe('the inputs of an operation are the same over both protocols', () => {
  it.each([
    [
      'defaults of parameters',
      ['GET', '/rates/EUR'],
      '{ rate(currency: "EUR") { inputs } }',
      { currency: 'EUR', 'max-days': 5, kind: 'mid-price' },
    ],
    [
      'parameters by the names of the document, a header field in lower case, and enums as they are in JSON',
      ['GET', '/rates/EUR?max-days=3&kind=ask&tags=a,b', { headers: { 'X-Desk': 'north' } }],
      '{ rate(currency: "EUR", maxDays: 3, kind: ask, tags: ["a", "b"], xDesk: "north") { inputs } }',
      { currency: 'EUR', 'max-days': 3, kind: 'ask', tags: ['a', 'b'], 'x-desk': 'north' },
    ],
    [
      'null for what is absent',
      ['GET', '/rates/EUR'],
      '{ rate(currency: "EUR", maxDays: null, kind: null, tags: null, xDesk: null) { inputs } }',
      { currency: 'EUR', 'max-days': 5, kind: 'mid-price' },
    ],
    [
      'integer ids, versions, renamed properties, variants, and defaults at each depth',
      [
        'POST',
        '/lots/12/orders',
        {
          ...json({
            items: [
              { code: 'A', place: { 'street-name': 'Mill' } },
              { code: 'B', amount: 2 },
            ],
            place: {},
            wrap: { kind: 'BOX' },
          }),
          headers: { 'if-match': '"3"' },
        },
      ],
      `mutation { order(lotId: 12, ifVersion: 3, input: {
         items: [{ code: "A", place: { streetName: "Mill" } }, { code: "B", amount: 2 }], place: {}, wrap: { box: {} }
       }) { inputs } }`,
      {
        lotId: 12,
        'if-match': '"3"',
        input: {
          items: [
            { code: 'A', place: { 'street-name': 'Mill', country: 'GB' }, amount: 1, grade: 4 },
            { code: 'B', amount: 2, grade: 4 },
          ],
          place: { country: 'GB' },
          wrap: { kind: 'BOX', edge: 7 },
          priority: 'low',
        },
      },
    ],
    [
      'null where JSON accepts it, and enums in bodies',
      ['POST', '/lots/12/orders', json({ items: [], note: null, priority: 'top-most' })],
      'mutation { order(lotId: 12, input: { items: [], note: null, priority: top_most, place: null, wrap: null }) { inputs } }',
      { lotId: 12, input: { items: [], note: null, priority: 'top-most' } },
    ],
    [
      'properties of a body as arguments',
      ['POST', '/marks', json({ text: 'up', note: null, place: {} })],
      'mutation { mark(text: "up", note: null, place: {}) { inputs } }',
      { input: { text: 'up', note: null, place: { country: 'GB' }, copies: 1 } },
    ],
  ] as const)('%s', async (_, [method, path, sent], document, expected) => {
    const rest = await overRest(method, path, sent);
    expect(rest).toEqual(expected);
    expect(await overGraphql(document)).toEqual([rest]);
  });

  it('what no argument gives is absent over GraphQL', async () => {
    const headers = { 'X-Team': 'blue', cookie: 'theme=dark' };
    expect(await overRest('GET', '/rates/EUR', { headers })).toMatchObject({ 'x-team': 'blue', theme: 'dark' });
  });

  it('path parameters of a field are properties of its parent', async () => {
    const { data } = await service.graphql('{ rate(currency: "CHF") { history(days: 3) { inputs } } }');
    expect(JSON.parse(data.rate.history.inputs)).toEqual(await overRest('GET', '/rates/CHF/history?days=3'));
    const lot = await service.graphql('mutation { createLot(input: { name: "A" }) { id value { inputs } } }');
    const { id, value } = lot.data.createLot;
    expect(JSON.parse(value.inputs)).toEqual({ lotId: Number(id) });
    expect(await overRest('GET', `/lots/${id}/value`)).toEqual({ lotId: Number(id) });
  });
});

it('a field whose parent has nothing for a path parameter is null, and must be nullable', async () => {
  const { data, errors } = await service.graphql(
    '{ some: rate(currency: "EUR") { notes { inputs } } none: rate(currency: "CHF") { notes { inputs } } }',
  );
  expect(data).toEqual({ some: { notes: { inputs: '{"peer":"USD"}' } }, none: { notes: null } });
  expect(errors).toBeUndefined();
  const sdl = SDL.replace('notes: Seen @operation', 'notes: Seen! @operation');
  const { findings } = await withFolder({ 'openapi.yaml': OPENAPI, 'schema.graphql': sdl }, modelContract);
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ rule: 'parity-return' }]);
});

describe('a fault in an input', () => {
  it.each([
    ['a header field', '{ rate(currency: "EUR", xDesk: "x") { inputs } }', 'xDesk'],
    [
      'a property',
      'mutation { order(lotId: 1, input: { items: [{ code: "ABCD" }] }) { inputs } }',
      'input.items.0.code',
    ],
    ['an argument of a nested field', '{ rate(currency: "EUR") { history(days: 10) { inputs } } }', 'days'],
  ])('is told by its argument: %s', async (_, document, argument) => {
    const { errors } = await service.graphql(document);
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ argument }] } }]);
  });
});
