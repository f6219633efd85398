import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { mockHandlers } from '../../../src/tools/mock/mock-handlers.ts';
import { serve, type TestService } from '../../../src/tools/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const document = (version: string, rest: string): string =>
  `openapi: ${version}\ninfo: { title: Ordinary, version: '1' }\n${rest}`;
const ok = `responses: { '200': { description: ok } }`;
const answers = (schema: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

/** One construct of public documents each, and further files it refers to. */
const DOCUMENTS: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'operations that declare errors alone': document(
    '3.0.2',
    `paths:
  /pet: { post: { operationId: addPet, responses: { '405': { description: Invalid input } } } }
  /moved: { get: { operationId: moved, responses: { '302': { description: elsewhere } } } }
  /any: { get: { operationId: any, responses: { default: { description: what there is, content: { application/json: { schema: { type: string } } } } } } }
  /range: { get: { operationId: range, responses: { 2XX: { description: what there is, content: { application/json: { schema: { type: integer } } } } } } }
`,
  ),
  'a `$ref` in data that leads nowhere': document(
    '3.1.0',
    `x-topics: [{ title: Start, content: { $ref: ./docs/start.md } }]
paths:
  /a: { get: { operationId: a, ${answers(`{ type: object, examples: [{ $ref: 'no.yaml' }], properties: { $id: { type: string }, a: { type: string } } }`)} } }
`,
  ),
  'references with percent-encoding': document(
    '3.0.0',
    `paths:
  /a: { get: { operationId: a, ${answers(`{ $ref: '#/components/schemas/A%2EB' }`)} } }
components: { schemas: { A.B: { type: object, properties: { a: { type: string } } } } }
`,
  ),
  'a circle of paths': document(
    '3.0.3',
    `paths:
  /a: { get: { operationId: a, ${answers(`{ $ref: '#/paths/~1b/get/responses/200/content/application~1json/schema' }`)} } }
  /b: { get: { operationId: b, ${answers(`{ type: object, properties: { next: { $ref: '#/paths/~1a/get/responses/200/content/application~1json/schema' } } }`)} } }
`,
  ),
  'a `$ref` in place of an operation': {
    'openapi.yaml': document(
      '3.0.3',
      `paths:
  /a: { get: { $ref: '#/x-operations/readA' }, post: { $ref: operations/write.yaml } }
x-operations: { readA: { operationId: readA, ${answers('{ type: string }')} } }
`,
    ),
    'operations/write.yaml': `operationId: write\nrequestBody: { content: { application/json: { schema: { $ref: ../body.yaml } } } }\n${ok}\n`,
    'body.yaml': '{ type: object, properties: { a: { type: string } } }',
  },
  'styles `label` and `matrix`': document(
    '3.0.3',
    ['label', 'matrix']
      .flatMap((style) => [true, false].map((explode) => ({ style, explode })))
      .map(
        ({ style, explode }) => `  /${style}-${explode}/{one}/{many}/{pairs}:
    get:
      operationId: ${style}${explode}
      parameters:
        - { name: one, in: path, required: true, style: ${style}, explode: ${explode}, schema: { type: integer } }
        - { name: many, in: path, required: true, style: ${style}, explode: ${explode}, schema: { type: array, items: { type: string }, example: [a] } }
        - { name: pairs, in: path, required: true, style: ${style}, explode: ${explode}, schema: { type: object, required: [r], properties: { r: { type: integer } } } }
      ${ok}
`,
      )
      .join('')
      .replace(/^/, 'paths:\n'),
  ),
  'operationIds that differ by a `#`': document(
    '3.0.0',
    `paths:
  /a: { get: { operationId: 'read#a', ${ok} }, put: { operationId: read/a, ${ok} }, post: { operationId: reada, ${ok} } }
  /b: { get: { operationId: '#read', ${ok} }, put: { operationId: 'read#', ${ok} }, post: { operationId: read, ${ok} } }
`,
  ),
  'mappings of discriminators to names': document(
    '3.0.0',
    `paths:
  /a: { get: { operationId: a, ${answers(`{ oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Two' }], discriminator: { propertyName: kind, mapping: { Option One: One, Option Two: Two, Option Three: Three Four } } }`)} } }
components:
  schemas:
    One: { type: object, required: [kind, a], properties: { kind: { type: string, enum: [Option One] }, a: { type: string } } }
    Two: { type: object, required: [kind, b], properties: { kind: { type: string, enum: [Option Two] }, b: { type: string } } }
`,
  ),
  '`allOf` with nullable and `required`': document(
    '3.0.3',
    `paths:
  /a:
    get: { operationId: readA, ${answers(`{ $ref: '#/components/schemas/A' }`)} }
    put: { operationId: writeA, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/C' } } } }, ${answers(`{ $ref: '#/components/schemas/C' }`)} }
components:
  schemas:
    Base: { type: object, properties: { id: { type: string }, label: { type: string, nullable: true } } }
    Maybe: { type: object, nullable: true, properties: { id: { type: string } } }
    A: { type: object, nullable: true, required: [id], allOf: [{ $ref: '#/components/schemas/Base' }], properties: { n: { type: integer } } }
    B: { allOf: [{ $ref: '#/components/schemas/Maybe' }], required: [id, elsewhere] }
    C: { required: [id, b], allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { b: { $ref: '#/components/schemas/B' } } }] }
`,
  ),
  'a media type that is a list of types': document(
    '3.0.3',
    `paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok, content: { 'text/csv, text/plain': { schema: { type: string } } } } } } }
  /b: { get: { operationId: b, responses: { '200': { description: ok, content: { '*/*': { schema: { type: object } } } } } } }
`,
  ),
  'a security scheme that is not declared': document(
    '3.0.3',
    `paths: { /a: { get: { operationId: a, security: [{ key: [] }], ${ok} } } }\n`,
  ),
  'alternatives that overlap, and examples': document(
    '3.0.3',
    `paths:
  /a: { get: { operationId: a, ${answers(`{ oneOf: [{ type: integer, multipleOf: 3 }, { type: integer, multipleOf: 5 }] }`)} } }
  /b: { get: { operationId: b, ${answers(`{ type: object, required: [x, y], properties: { x: { type: string } } }`)} } }
  /c: { get: { operationId: c, responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [a], not: { properties: { a: { maxLength: 30 } } }, properties: { a: { type: string } } }, example: { a: 'the one that the schema would never guess by itself' } } } } } } }
`,
  ),
  'an empty `enum`': document(
    '3.1.0',
    `paths:
  /a: { post: { operationId: a, requestBody: { content: { application/json: { schema: { type: object, required: [s], properties: { s: { type: string, enum: [], allOf: [{ $ref: '#/components/schemas/State' }] } } } } } }, ${answers(`{ $ref: '#/components/schemas/State' }`)} } }
components: { schemas: { State: { type: string, enum: [OPEN, SHUT] } } }
`,
  ),
  'what OpenAPI 3.2 adds': document(
    '3.2.0',
    `$self: https://example.com/openapi
tags: [{ name: all, summary: All, kind: nav }, { name: some, parent: all }]
servers: [{ url: /v1, name: production }]
paths:
  /a:
    get: { operationId: a, responses: { '200': { summary: ok, content: { application/json: { $ref: '#/components/mediaTypes/Text' } } } } }
    query: { operationId: q, ${ok} }
    additionalOperations: { COPY: { operationId: c, ${ok} } }
  /b:
    get:
      operationId: b
      parameters: [{ name: all, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }]
      responses: { '200': { description: ok, content: { text/event-stream: { itemSchema: { type: object } } } } }
components:
  mediaTypes: { Text: { schema: { type: string }, examples: { one: { dataValue: a, serializedValue: '"a"' } } } }
`,
  ),
};

const compiled = new Map<string, Compiled>();
const modelOf = (name: string) => compiled.get(name)!.model!;

beforeAll(async () => {
  for (const [name, files] of Object.entries(DOCUMENTS)) {
    const folder = typeof files === 'string' ? { 'openapi.yaml': files } : files;
    compiled.set(name, await withFolder(folder, (path) => compileContract(path, libraryFrom(1))));
  }
});

const NAMES = Object.keys(DOCUMENTS);

/** Asks for every operation as its examples do. */
async function answersOf(name: string, service: TestService) {
  const headers = { authorization: 'Basic eDp5' };
  return Promise.all(
    sampleRequests(modelOf(name)).map(async ({ method, path, inPath, body }) => {
      const url = inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.value)), path);
      const sent = body && { body: body.text, headers: { ...headers, 'content-type': body.type } };
      return { ...(await service.anonymous.request(method, url, sent ?? { headers })), url };
    }),
  );
}

describe('an ordinary document with', () => {
  test.each(NAMES)('%s compiles, with warnings at most, each of them at a line', (name) => {
    const { findings } = compiled.get(name)!;
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const { location } of findings) expect(location).toMatchObject({ file: /\.yaml$/, line: expect.any(Number) });
  });

  test.each(NAMES)('%s is answered by the mock, in every operation', async (name) => {
    const contract = modelOf(name);
    await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    for (const { status, url, text } of await answersOf(name, service))
      expect(status, `${url}: ${text}`).toBeLessThan(400);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('any of these has output that type-checks without `skipLibCheck`', async () => {
    const files = NAMES.flatMap((name, index) =>
      [...compiled.get(name)!.files!].map(([path, text]) => [`${index}/${path}`, text] as const),
    );
    const errors = await typeErrors(Object.fromEntries(files), { skipLibCheck: false });
    const named = [...errors].flatMap(([path, lines]) =>
      lines.map((line) => `${NAMES[Number.parseInt(path, 10)]} ${path}:${line}`),
    );
    expect(named).toEqual([]);
  }, 120_000);
});

test('an example answers where no draw fits the schema', async () => {
  const contract = modelOf('alternatives that overlap, and examples');
  await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
  expect((await service.anonymous.get('/c')).body).toEqual({
    a: 'the one that the schema would never guess by itself',
  });
});

test('what OpenAPI 3.2 adds and is not served is told, and nothing else', () => {
  const { findings } = compiled.get('what OpenAPI 3.2 adds')!;
  const told = findings.filter(({ rule }) => rule === 'openapi-version');
  expect(told.map(({ severity, message, location }) => `${severity} ${location.line} ${message}`)).toEqual([
    'warning 9 `query` is new in OpenAPI 3.2 and is ignored.',
    'warning 10 `additionalOperations` is new in OpenAPI 3.2 and is ignored.',
    'warning 14 `in: querystring` is new in OpenAPI 3.2 and is ignored.',
    'warning 15 `itemSchema` is new in OpenAPI 3.2 and is ignored.',
  ]);
});

describe('parameters of a path in the styles `label` and `matrix`', () => {
  const contract = () => modelOf('styles `label` and `matrix`');
  const expected = { one: 5, many: ['a', 'b'], pairs: { r: 7 } };

  test.each([
    ['labelfalse', '/label-false/.5/.a,b/.r,7'],
    ['labeltrue', '/label-true/.5/.a.b/.r=7'],
    ['matrixfalse', '/matrix-false/;one=5/;many=a,b/;pairs=r,7'],
    ['matrixtrue', '/matrix-true/;one=5/;many=a;many=b/;r=7'],
  ])('are decoded: %s %s', async (operationId, path) => {
    let seen: unknown;
    const handler = ({ params }: { readonly params: unknown }) => {
      seen = params;
      return { status: 200 };
    };
    const handlers = { operations: { [operationId]: handler } } as never;
    await using service = await serve({ contract: contract(), handlers, allowMissing: true });
    expect(await service.anonymous.get(path)).toMatchObject({ status: 200 });
    expect(seen).toEqual(expected);
  });

  test.each([
    ['/label-true/5/.a/.r=7', 'one', 'must begin with .'],
    ['/matrix-true/;two=5/;many=a/;r=7', 'one', 'must begin with ;one'],
    ['/matrix-true/;one=5/;many=a;few=b/;r=7', 'many', 'must begin with ;many'],
    ['/label-false/.x/.a/.r,7', 'one', 'must be an integer'],
  ])('are refused in another form: %s', async (path, parameter, detail) => {
    await using service = await serve({ contract: contract(), allowMissing: true });
    expect((await service.anonymous.get(path)).body).toMatchObject({ status: 400, errors: [{ parameter, detail }] });
  });
});

test('the client writes the parameters of a path in their styles', () => {
  const client = compiled.get('styles `label` and `matrix`')!.files!.get('sdk/index.js');
  expect(client).toContain('"/label-true/{.one*}/{.many*}/{.pairs*}"');
  expect(client).toContain('"/matrix-false/{;one}/{;many}/{;pairs}"');
});

test('a body sent to an operation that takes none is 415, which every such operation declares', async () => {
  const contract = modelOf('operations that declare errors alone');
  expect(parse(JSON.stringify(contract.document)).paths['/pet'].post.responses).toHaveProperty('415');
  await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
  const { status, body } = await service.anonymous.post('/pet', { name: 'Leo' });
  expect({ status, body }).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
});

test('Swagger 2.0 is told apart, with a converter', async () => {
  const text = "swagger: '2.0'\ninfo: { title: Old, version: '1' }\npaths: {}\n";
  const { findings } = await withFolder({ 'openapi.yaml': text }, (path) => compileContract(path));
  expect(findings).toMatchObject([
    {
      message: expect.stringContaining('This is a Swagger 2.0 document'),
      hint: expect.stringContaining('npx swagger2openapi'),
      location: { file: 'openapi.yaml', line: 1, pointer: '/swagger' },
    },
  ]);
});
