import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const document = (version: string, rest: string): string =>
  `openapi: ${version}\ninfo: { title: Ordinary, version: '1' }\n${rest}`;
const ok = `responses: { '200': { description: ok } }`;
const answers = (schema: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

/** A document in the style of another tool. */
const foreign = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../fixtures/foreign', name, 'openapi.yaml'), 'utf8');

/** One construct of public documents each, and further files it refers to. */
export const ORDINARY_DOCUMENTS: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
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
  'forms, encoded in a URL and in parts': document(
    '3.0.1',
    `paths:
  /messages:
    post:
      operationId: sendMessage
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { $ref: '#/components/schemas/Message' }
            encoding: { Tags: { explode: false } }
      ${ok}
  /files:
    post:
      operationId: addFile
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object, required: [name, file], properties: { name: { type: string }, file: { type: string, format: binary } } } } } }
      ${ok}
components:
  schemas:
    Message:
      type: object
      required: [To, From, Retries, MediaUrl, Tags, Variables]
      properties:
        To: { type: string, pattern: '^\\+[1-9]\\d{1,14}$' }
        From: { type: string, pattern: '^(?![0-9]+$)[a-z0-9]+$' }
        Retries: { type: integer, minimum: 1 }
        MediaUrl: { type: array, minItems: 1, items: { type: string, format: uri } }
        Tags: { type: array, minItems: 2, items: { type: string } }
        Variables: { type: object, required: [a], properties: { a: { type: integer } } }
`,
  ),
  'required properties of one direction, and of any value': document(
    '3.0.3',
    `paths:
  /users:
    post: { operationId: addUser, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, ${answers(`{ $ref: '#/components/schemas/User' }`)} }
components:
  schemas:
    User:
      type: object
      required: [id, password, config]
      properties:
        id: { type: integer, readOnly: true }
        password: { type: string, writeOnly: true }
        config: { description: Anything. }
`,
  ),
  'lists in parameters': document(
    '3.1.0',
    `paths:
  /a:
    get:
      operationId: a
      parameters:
        - { name: expand, in: query, schema: { type: array, items: { type: string, enum: [inbox, owners] } } }
        - { name: project, in: query, schema: { type: array, items: { anyOf: [{ type: integer }, { type: string }] } } }
        - { name: tag, in: query, schema: { oneOf: [{ type: string }, { type: array, maxItems: 20, uniqueItems: true, items: { $ref: '#/components/schemas/Snowflake' } }] } }
        - { name: role, in: query, examples: { one: { value: '7' } }, schema: { oneOf: [{ type: array, items: { $ref: '#/components/schemas/Snowflake' } }, { type: 'null' }] } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: integer } } } } } }
      ${ok}
components: { schemas: { Snowflake: { type: string, pattern: '^(0|[1-9][0-9]*)$', format: snowflake } } }
`,
  ),
  'paths that differ by what follows a `#`': document(
    '3.0.2',
    `paths:
  /files/{id}#link: { put: { operationId: linkFile, parameters: [&id { name: id, in: path, required: true, schema: { type: string } }], ${ok} }, get: { operationId: getLink, parameters: [*id], ${ok} } }
  /files/{id}: { get: { operationId: getFile, parameters: [*id], ${ok} } }
  /files/{file}: { get: { operationId: getFileAgain, parameters: [{ name: file, in: path, required: true, schema: { type: string } }], ${ok} } }
  /schema#add: { put: { operationId: addSchema, ${ok} } }
  /schema#update: { put: { operationId: updateSchema, ${ok} } }
`,
  ),
  'several keys at once': document(
    '3.0.0',
    `security: [{ client: [], secret: [] }]
paths: { /a: { post: { operationId: a, ${ok} } } }
components: { securitySchemes: { client: { type: apiKey, in: header, name: X-Client }, secret: { type: apiKey, in: header, name: X-Secret } } }
`,
  ),
  'alternatives that exclude each other': document(
    '3.0.0',
    `paths:
  /a: { post: { operationId: a, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Either' } } } }, ${answers(`{ $ref: '#/components/schemas/Both' }`)} } }
components:
  schemas:
    Status: { type: string, enum: [OPEN, SHUT], nullable: true }
    Base: { type: object, required: [status], properties: { status: { $ref: '#/components/schemas/Status' }, balance: { type: number, nullable: true } } }
    Both:
      type: object
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - { type: object, required: [balance], properties: { status: { type: string, enum: [OPEN] }, balance: { type: number } } }
    Either:
      oneOf:
        - { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, additionalProperties: true, properties: { a: { type: string } } }] }
        - { type: object, required: [b], properties: { b: { type: string } }, additionalProperties: { type: string } }
`,
  ),
  'what TypeSpec emits': foreign('typespec'),
  'what FastAPI emits': foreign('fastapi'),
};
