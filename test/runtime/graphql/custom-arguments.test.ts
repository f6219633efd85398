import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const OPENAPI = `openapi: 3.1.0
info: { title: Post, version: 1.0.0 }
servers: [{ url: /v1 }]
security: []
paths:
  /offices/{officeId}/quotes:
    get:
      operationId: getQuote
      parameters:
        - { name: officeId, in: path, required: true, schema: { type: string, format: uuid } }
        - { name: code, in: query, schema: { type: string, pattern: '^[A-Z]{3}$' } }
        - { name: max-days, in: query, schema: { type: integer, minimum: 1, maximum: 30, default: 5 } }
        - name: size
          in: query
          style: deepObject
          schema: { type: object, properties: { height: { type: integer, minimum: 1, maximum: 90 } } }
      responses:
        '200': { description: A quote., content: { application/json: { schema: { $ref: '#/components/schemas/Quote' } } } }
  /parcels:
    post:
      operationId: sendParcel
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/ParcelInput' } } } }
      responses:
        '200': { description: Sent., content: { application/json: { schema: { $ref: '#/components/schemas/Quote' } } } }
  /labels:
    post:
      operationId: printLabel
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties:
                text: { type: string, minLength: 2 }
                copies: { type: integer, minimum: 1, maximum: 9, default: 1 }
                printer: { type: [string, 'null'], default: front desk }
                lines:
                  type: array
                  maxItems: 2
                  items: { type: object, required: [text], properties: { text: { type: string, maxLength: 5 } } }
      responses:
        '204': { description: Printed. }
components:
  schemas:
    Quote: { type: object, required: [text], properties: { text: { type: string } } }
    ParcelInput:
      type: object
      required: [to]
      properties:
        to: { type: object, required: [street], properties: { street: { type: string, maxLength: 10 } } }
        note: { type: string, minLength: 3 }
        size: { enum: [SMALL, LARGE], default: SMALL }
        insured: { type: [boolean, 'null'], default: true }
        wrap: { $ref: '#/components/schemas/Wrap' }
    Wrap:
      oneOf: [{ $ref: '#/components/schemas/Box' }, { $ref: '#/components/schemas/Bag' }]
      discriminator: { propertyName: kind }
    Box: { type: object, required: [kind, edge], properties: { kind: { const: BOX }, edge: { type: integer, minimum: 1, maximum: 50 } } }
    Bag: { type: object, required: [kind], properties: { kind: { const: BAG }, handles: { type: integer, minimum: 1, maximum: 2 } } }
`;

const SDL = `
type Query {
  quote(id: ID!, code: String, maxDays: Int = 5, size: SizeInput): Quote @operation(id: "getQuote")
}
type Mutation {
  sendParcel(input: ParcelInput!): Quote! @operation(id: "sendParcel")
  printLabel(text: String!, copies: Int = 1, printer: String = "front desk", lines: [LineInput!]): Boolean! @operation(id: "printLabel")
}
type Quote { text: String! }
input SizeInput { height: Int }
input LineInput { text: String! }
input ToInput { street: String! }
input ParcelInput { to: ToInput! note: String size: Size = SMALL insured: Boolean = true wrap: WrapInput }
enum Size { SMALL LARGE }
input WrapInput @oneOf { box: BoxInput bag: BagInput }
input BoxInput { edge: Int! }
input BagInput { handles: Int }
`;

/** The inputs that an operation was called with last. */
let taken: object | undefined;
function taking<T>(inputs: object, answer: T): T {
  taken = inputs;
  return answer;
}

const handlers = {
  operations: {
    getQuote: (inputs: object) => taking(inputs, { text: 'two days' }),
    sendParcel: (inputs: object) => taking(inputs, { text: 'sent' }),
    printLabel: (inputs: object) => taking(inputs, undefined),
  },
} as unknown as AnyHandlers;

// Custom operations alone: no database takes part.
const [database] = databases;
const OFFICE = '01941f29-7c00-7a10-8c57-00000000000a';

let service: Service;
beforeAll(async () => {
  const contract = await withFolder({ 'openapi.yaml': OPENAPI, 'schema.graphql': SDL }, async (folder) => {
    const { model, findings } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    return model!;
  });
  service = await startCompiled(contract, database!, handlers);
});
afterAll(() => service.close());

/** The code of an answer and its faults, which name a place each. */
const refused = (code: string, errors: readonly object[] = []) => ({ code, errors });

async function overRest(method: string, path: string, body?: object) {
  const { body: problem } = await service.request(method, `/v1${path}`, { ...(body && { body }) });
  return refused(problem?.code, problem?.errors);
}

async function overGraphql(query: string, variables: object = {}) {
  const { errors } = await service.graphql(query, { variables });
  const { code, errors: faults } = errors?.[0]?.extensions ?? {};
  return refused(code, faults);
}

const SEND = 'mutation ($input: ParcelInput!) { sendParcel(input: $input) { text } }';
const PRINT =
  'mutation ($text: String!, $copies: Int, $lines: [LineInput!]) { printLabel(text: $text, copies: $copies, lines: $lines) }';
const QUOTE =
  'query ($id: ID!, $code: String, $days: Int, $size: SizeInput) { quote(id: $id, code: $code, maxDays: $days, size: $size) { text } }';
const to = { street: 'Mill Lane' };

describe('what a custom operation demands and SDL cannot say', () => {
  it.each([
    ['?code=abc', { code: 'abc' }, 'code', 'code'],
    ['?max-days=31', { days: 31 }, 'max-days', 'maxDays'],
    ['?size[height]=91', { size: { height: 91 } }, 'size[height]', 'size.height'],
  ])('is demanded of parameters over both protocols: %s', async (query, variables, parameter, argument) => {
    const rest = await overRest('GET', `/offices/${OFFICE}/quotes${query}`);
    const [{ detail }] = rest.errors as { detail: string }[] as [{ detail: string }];
    expect(rest).toEqual(refused('VALIDATION_FAILED', [{ parameter, detail }]));
    expect(await overGraphql(QUOTE, { id: OFFICE, ...variables })).toEqual(
      refused('VALIDATION_FAILED', [{ argument, detail }]),
    );
  });

  it('is demanded of ids in paths, and every fault is told at once', async () => {
    expect(await overGraphql(QUOTE, { id: 'nowhere', code: 'abc' })).toMatchObject(
      refused('VALIDATION_FAILED', [{ argument: 'id' }, { argument: 'code' }]),
    );
  });

  it.each([
    [{ to, note: 'x' }, { to, note: 'x' }, '/note', 'input.note'],
    [{ to: { street: 'A very long lane' } }, { to: { street: 'A very long lane' } }, '/to/street', 'input.to.street'],
    [{ to, wrap: { kind: 'BOX', edge: 51 } }, { to, wrap: { box: { edge: 51 } } }, '/wrap/edge', 'input.wrap.box.edge'],
  ])('is demanded of bodies: %j', async (body, input, pointer, argument) => {
    const rest = await overRest('POST', '/parcels', body);
    const [{ detail }] = rest.errors as { detail: string }[] as [{ detail: string }];
    expect(rest).toEqual(refused('VALIDATION_FAILED', [{ pointer, detail }]));
    expect(await overGraphql(SEND, { input })).toEqual(refused('VALIDATION_FAILED', [{ argument, detail }]));
  });

  it.each([
    [{ text: 'x' }, '/text', 'text'],
    [{ text: 'fragile', copies: 10 }, '/copies', 'copies'],
    [{ text: 'fragile', lines: [{ text: 'this way' }] }, '/lines/0/text', 'lines.0.text'],
  ])('is demanded of a body whose properties are arguments: %j', async (body, pointer, argument) => {
    const rest = await overRest('POST', '/labels', body);
    const [{ detail }] = rest.errors as { detail: string }[] as [{ detail: string }];
    expect(rest).toEqual(refused('VALIDATION_FAILED', [{ pointer, detail }]));
    expect(await overGraphql(PRINT, body)).toEqual(refused('VALIDATION_FAILED', [{ argument, detail }]));
  });

  it('lets through what is as it should be, with null for what is left out', async () => {
    const quote = await service.graphql(QUOTE, {
      variables: { id: OFFICE, code: null, days: 30, size: { height: null } },
    });
    expect(quote.data).toEqual({ quote: { text: 'two days' } });
    const input = { to, note: null, wrap: { bag: { handles: null } } };
    expect((await service.graphql(SEND, { variables: { input } })).data).toEqual({ sendParcel: { text: 'sent' } });
    const label = { text: 'fragile', copies: null, lines: [{ text: 'up' }] };
    expect((await service.graphql(PRINT, { variables: label })).data).toEqual({ printLabel: true });
  });

  it('gives code the default, or nothing, for null where the operation takes none', async () => {
    await service.graphql(QUOTE, { variables: { id: OFFICE, code: null, days: null, size: null } });
    expect(taken).toEqual({ officeId: OFFICE, 'max-days': 5 });
    const input = { to, note: null, size: null, insured: null, wrap: null };
    await service.graphql(SEND, { variables: { input } });
    expect(taken).toEqual({ input: { to, size: 'SMALL', insured: null } });
    await service.graphql('mutation { printLabel(text: "up", copies: null, printer: null, lines: null) }');
    expect(taken).toEqual({ input: { text: 'up', copies: 1, printer: null } });
  });
});
