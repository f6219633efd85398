import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const answering = (type: string, schema: string) =>
  `responses: { '200': { description: ok, content: { ${type}: ${schema} } } }`;
const ok = `responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Seen' } } } } }`;
const taking = (type: string, schema: string) => `requestBody: { required: true, content: { ${type}: ${schema} } }`;
const pet = `{ schema: { $ref: '#/components/schemas/Pet' } }`;
const binary = '{ schema: { type: string, format: binary } }';

/** One operation for each way in which public documents declare a body. */
const DOCUMENT = `openapi: 3.0.3
info: { title: Contents, version: '1' }
paths:
  /charset: { post: { operationId: charset, ${taking("'application/json; charset=utf-8'", pet)}, ${answering("'application/json;charset=UTF-8'", pet)} } }
  /any: { post: { operationId: anyType, ${taking("'*/*'", pet)}, ${answering("'*/*'", pet)} } }
  /vendor: { post: { operationId: vendor, ${taking('application/vnd.pet+json', pet)}, ${answering("'application/*'", pet)} } }
  /versions:
    post:
      operationId: versions
      requestBody:
        content:
          application/json; version=1: { schema: { type: object, required: [one], properties: { one: { type: string } } } }
          application/json; version=2: { schema: { type: object, required: [two], properties: { two: { type: string } } } }
      ${ok}
  /octets: { put: { operationId: putOctets, ${taking('application/octet-stream', binary)}, ${ok} } }
  /pdf: { get: { operationId: getPdf, ${answering('application/pdf', binary)} } }
  /images: { get: { operationId: getImage, ${answering("'image/*'", binary)} }, put: { operationId: putImage, ${taking("'image/*'", binary)}, ${ok} } }
  /bytes: { get: { operationId: getBytes, ${answering("'*/*'", binary)} } }
  /xml: { post: { operationId: xml, ${taking('application/xml', pet)}, ${answering('application/xml', pet)} } }
  /either: { get: { operationId: either, responses: { '200': { description: ok, content: { application/json: ${pet}, application/pdf: ${binary} } } } } }
  /files:
    post:
      operationId: addFiles
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { $ref: '#/components/schemas/Upload' }
            encoding: { note: { contentType: text/markdown } }
      ${ok}
  /embedded: { post: { operationId: embedded, ${taking('application/json', `{ schema: { $ref: '#/components/schemas/Upload' } }`)}, ${ok} } }
  /forms:
    post:
      operationId: sendForm
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [name, tags, ids, filter, extra]
              properties:
                name: { type: string }
                tags: { type: array, items: { type: string } }
                ids: { type: array, items: { type: integer } }
                filter: { type: object, properties: { a: { type: integer } } }
                extra: { type: object, properties: { b: { type: string } } }
            encoding: { ids: { style: form, explode: false }, filter: { style: deepObject, explode: true } }
      ${ok}
  /parameters:
    get:
      operationId: parameters
      parameters:
        - { name: X-Ids, in: header, required: true, schema: { type: array, items: { type: integer } } }
        - { name: X-Pairs, in: header, explode: true, schema: { type: object, properties: { a: { type: integer }, b: { type: string } } } }
        - { name: X-Filter, in: header, content: { application/json: { schema: { type: object, properties: { a: { type: integer } } } } } }
        - { name: session, in: cookie, required: true, schema: { type: string } }
        - { name: level, in: cookie, schema: { type: integer } }
      ${ok}
  /flags: { get: { operationId: flags, parameters: [{ name: deep, in: query, allowEmptyValue: true, schema: { type: integer } }], ${ok} } }
  /maps: { get: { operationId: maps, ${answering('application/json', `{ schema: { type: object, required: [of], properties: { of: { type: object, additionalProperties: { $ref: '#/components/schemas/Strict' } } } } }`)} } }
  /range: { get: { operationId: range, responses: { 2XX: { description: ok, content: { application/json: ${pet} } } } } }
  /moved: { get: { operationId: moved, responses: { '302': { description: elsewhere, headers: { Location: { schema: { type: string } } } } } } }
  /users:
    post: { operationId: addUser, ${taking('application/json', `{ schema: { $ref: '#/components/schemas/User' } }`)}, ${answering('application/json', `{ schema: { $ref: '#/components/schemas/User' } }`)} }
components:
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string } } }
    Strict: { type: object, additionalProperties: false, properties: { name: { type: string } } }
    Seen: { type: object, additionalProperties: true }
    Upload:
      type: object
      required: [file, meta]
      properties:
        file: { type: string, format: binary }
        more: { type: array, items: { type: string, format: binary } }
        note: { type: string }
        meta: { $ref: '#/components/schemas/Pet' }
    User:
      type: object
      required: [id, password, account, metadata]
      properties:
        id: { type: string, readOnly: true }
        password: { type: string, writeOnly: true }
        metadata: { type: object }
        account: { type: object, required: [number, secret, limits], properties: { number: { type: integer, readOnly: true }, secret: { type: string, writeOnly: true }, limits: { type: array, items: { type: object, required: [used, most], properties: { used: { type: integer, readOnly: true }, most: { type: integer } } } } } }
`;

const HANDLERS = `import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Handlers } from './handlers.ts';

export const operations = {
  charset: ({ input }) => ({ name: input.name }),
  anyType: ({ input }) => ({ name: input.name }),
  vendor: ({ input }) => ({ name: input.name }),
  embedded: ({ input }) => ({ file: input.file.trim() }),
  sendForm: ({ input }) => ({ ...input, tags: input.tags.map((tag) => tag.trim()) }),
  parameters: (inputs) => ({ ids: inputs['x-ids'].map((id) => id + 1), inputs, session: inputs.session.trim() }),
  flags: ({ deep: given }) => {
    const deep: number | '' | undefined = given;
    // @ts-expect-error it may be empty
    given satisfies number | undefined;
    return { query: { deep } };
  },
  maps: () => {
    const more = { name: 'Rex', age: 3 };
    return { of: { rex: more } };
  },
  range: ({}, { reply }) => reply({ status: 200, body: { name: 'Rex' } }),
  addUser: ({ input }) => ({ id: '1', metadata: input.metadata, account: { number: 1, limits: input.account.limits.map(({ most }) => ({ used: 0, most })) } }),
} satisfies Handlers['operations'];

export const routes = {
  versions: ({ body, contentType }) => ({ status: 200, body: { body, contentType } }),
  putOctets: ({ body }) => ({ status: 200, body: { text: Buffer.from(body).toString() } }),
  getPdf: () => ({ status: 200, body: new Uint8Array([1, 2, 3]) }),
  getImage: () => ({ status: 200, contentType: 'image/png', body: Buffer.from('png') }),
  putImage: ({ body }) => ({ status: 200, body: { length: body.byteLength } }),
  getBytes: () => ({ status: 200, body: Readable.from([Buffer.from('str'), Buffer.from('eam')]) }),
  xml: ({ body }) => ({ status: 200, body: Buffer.from(body).toString() }),
  either: ({}) => ({ status: 200, contentType: 'application/pdf', body: Buffer.from('pdf') }),
  addFiles: async ({ body, contentType }) => {
    const form = await new Response(await buffer(body), { headers: { 'content-type': contentType } }).formData();
    const entries = [...form.entries()].map(async ([name, part]) =>
      typeof part === 'string' ? [name, part] : [name, part.type, await part.text()]);
    return { status: 200, body: { parts: await Promise.all(entries) } };
  },
  moved: () => ({ status: 302, headers: { location: '/elsewhere' } }),
} satisfies Handlers['routes'];
`;

const CALLER = `import * as api from './sdk/index.js';

export async function use(client: api.Client) {
  const named: string[] = [
    (await api.charset(client, { body: { name: 'Rex' } })).name,
    (await api.anyType(client, { body: { name: 'Rex' } })).name,
    (await api.vendor(client, { body: { name: 'Rex' } })).name,
    (await api.range(client)).name,
    await api.xml(client, { body: '<pet/>' }),
  ];
  const blobs: Blob[] = [await api.getPdf(client), await api.getImage(client), await api.getBytes(client)];
  const either: Blob | { name: string } = await api.either(client);
  const moved: undefined = await api.moved(client);
  for (const body of [new Blob(['a']), new ArrayBuffer(1), new Uint8Array(1), new Blob(['a']).stream()]) {
    await api.putOctets(client, { body });
    await api.putImage(client, { body });
    await api.addFiles(client, { body: { file: body, more: [body], meta: { name: 'Rex' } } });
  }
  await api.addFiles(client, { body: new FormData() });
  await api.embedded(client, { body: { file: 'text', meta: { name: 'Rex' } } });
  await api.parameters(client, { header: { 'X-Ids': [1, 2] }, cookie: { session: 'a' } });
  const user = await api.addUser(client, { body: { password: 'x', metadata: { any: 1 }, account: { secret: 'y', limits: [{ most: 1 }] } } });
  const [limit] = user.account.limits;
  const numbers: (number | undefined)[] = [user.account.number, limit?.used];
  const any: unknown = user.metadata['any'];
  // @ts-expect-error not answered
  user.account.secret;
  // @ts-expect-error made by the server
  await api.addUser(client, { body: { id: '1', password: 'x', metadata: {}, account: { secret: 'y', limits: [] } } });
  // @ts-expect-error text in JSON
  await api.embedded(client, { body: { file: new Blob(['a']), meta: { name: 'Rex' } } });
  // @ts-expect-error bytes
  await api.putOctets(client, { body: 'text' });
  // @ts-expect-error a cookie is required
  await api.parameters(client, { header: { 'X-Ids': [1, 2] } });
  return [named, blobs, either, moved, numbers, any];
}
`;

// biome-ignore lint/suspicious/noExplicitAny: a package that is made here
type Api = Record<string, (client: unknown, request?: object) => any>;

describe('bodies by their media types', () => {
  let compiled: Compiled;
  let service: TestService;
  let baseUrl: string;
  let errors: ReadonlyMap<string, readonly string[]>;
  let api: Api;
  let client: unknown;
  const sent: Request[] = [];
  let end: () => Promise<void>;

  beforeAll(async () => {
    compiled = await withFolder({ 'openapi.yaml': DOCUMENT }, (folder) => compileContract(folder, libraryFrom(1)));
    const files = { ...Object.fromEntries(compiled.files!), 'own.ts': HANDLERS, 'caller.ts': CALLER };
    const generated = Object.entries(files).map(([path, text]) => [`generated/${path}`, text]);
    errors = await typeErrors(Object.fromEntries(generated), { skipLibCheck: false });
    const plain = { ...files, 'package.json': '{ "type": "module" }' };
    const opened = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const work = withFolder(plain, async (folder) => {
      await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
      api = await import(pathToFileURL(join(folder, 'sdk/index.js')).href);
      const { operations, routes } = await import(pathToFileURL(join(folder, 'own.ts')).href);
      service = await serve({ contract: compiled.model!, handlers: { operations, routes } });
      baseUrl = await service.listen();
      const fetched = (request: Request) => {
        sent.push(request.clone());
        return fetch(request);
      };
      client = api['createClient']!({ baseUrl, fetch: fetched } as never);
      opened.resolve();
      await ended.promise;
    });
    await Promise.race([opened.promise, work]);
    end = async () => {
      await service.close();
      ended.resolve();
      await work;
    };
  }, 60_000);
  afterAll(() => end());

  it('have types, in the client and in handlers', () => {
    expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it.each(['charset', 'anyType', 'vendor'])('of JSON are sent and read as JSON: %s', async (operation) => {
    expect(await api[operation]!(client, { body: { name: 'Rex' } })).toEqual({ name: 'Rex' });
  });

  it.each([
    ['application/json; version=1', { one: 'a' }, 200],
    ['application/json;version=2', { two: 'a' }, 200],
    ['application/json; charset=utf-8; version=2', { two: 'a' }, 200],
    ['application/json; version=1', { two: 'a' }, 400],
    ['application/json; version=3', { one: 'a' }, 415],
  ])('of types that differ by a parameter are chosen by it: %s %j', async (type, body, status) => {
    const headers = { 'content-type': type };
    const response = await fetch(`${baseUrl}/versions`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status, await response.text()).toBe(status);
  });

  it('that are binary are sent from bytes and streams, and read as blobs', async () => {
    for (const body of [new Blob(['abc']), Buffer.from('abc'), new Blob(['abc']).stream()])
      expect(await api['putOctets']!(client, { body })).toEqual({ text: 'abc' });
    expect(await api['putImage']!(client, { body: new Blob(['abc'], { type: 'image/gif' }) })).toEqual({ length: 3 });
    expect(sent.at(-1)!.headers.get('content-type')).toBe('image/gif');
    expect([...(await (await api['getPdf']!(client)).bytes())]).toEqual([1, 2, 3]);
    expect(await (await api['getImage']!(client)).text()).toBe('png');
    expect(await (await api['getBytes']!(client)).text()).toBe('stream');
    expect(await (await api['either']!(client)).text()).toBe('pdf');
    expect(await api['xml']!(client, { body: '<pet/>' })).toBe('<pet/>');
  });

  it('of forms have a part for each property, by its encoding', async () => {
    const body = { file: new Blob(['abc'], { type: 'image/gif' }), more: [Buffer.from('d'), new Blob(['e']).stream()] };
    const whole = { ...body, note: '# Hi', meta: { name: 'Rex' } };
    const parts = [
      ['file', 'image/gif', 'abc'],
      ['more', expect.any(String), 'd'],
      ['more', expect.any(String), 'e'],
      ['note', 'text/markdown', '# Hi'],
      ['meta', 'application/json', '{"name":"Rex"}'],
    ];
    expect(await api['addFiles']!(client, { body: whole })).toEqual({ parts });
    const form = new FormData();
    form.append('note', 'mine');
    expect(await api['addFiles']!(client, { body: form })).toEqual({ parts: [['note', 'mine']] });
    const fields = { name: 'a b&c', tags: ['x', 'y'], ids: [1, 2], filter: { a: 1 }, extra: { b: 'c' } };
    expect(await api['sendForm']!(client, { body: fields })).toEqual(fields);
    expect(await sent.at(-1)!.text()).toContain('tags=x&tags=y&ids=1,2&filter[a]=1&');
  });

  it('of ranges are answered to whoever accepts one of their types', async () => {
    for (const [path, accept] of [
      ['images', 'image/png'],
      ['bytes', 'application/zip'],
    ]) {
      const response = await fetch(`${baseUrl}/${path}`, { headers: { accept: accept! } });
      expect(response.status, await response.text()).toBe(200);
    }
    expect((await fetch(`${baseUrl}/images`, { headers: { accept: 'text/html' } })).status).toBe(406);
  });

  it('are made by the mock', async () => {
    const contract = compiled.model!;
    await using mock = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    const { status, headers, body } = await mock.anonymous.post('/any', { name: 'Rex' });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' });
    expect(body).toEqual({ name: expect.any(String) });
    expect((await mock.anonymous.get('/images')).headers['content-type']).toMatch(/^image\//);
  });

  it('are beside header fields and cookies in their styles', async () => {
    const header = { 'X-Ids': [1, 2], 'X-Pairs': { a: 1, b: 'x' }, 'X-Filter': { a: 1 } };
    const answer = await api['parameters']!(client, { header, cookie: { session: 'abc', level: 3 } });
    const inHeader = { 'x-ids': [1, 2], 'x-pairs': { a: 1, b: 'x' }, 'x-filter': { a: 1 } };
    expect(answer).toEqual({ ids: [2, 3], inputs: { ...inHeader, session: 'abc', level: 3 }, session: 'abc' });
    expect(sent.at(-1)!.headers.get('x-ids')).toBe('1,2');
    const spaced = { 'x-ids': '1, 2', cookie: 'session=abc' };
    expect(await (await fetch(`${baseUrl}/parameters`, { headers: spaced })).json()).toMatchObject({ ids: [2, 3] });
  });

  it('leave out what their schemas do not have, in maps as well', async () => {
    expect(await api['maps']!(client)).toEqual({ of: { rex: { name: 'Rex' } } });
  });

  it('are answered to parameters that may be empty', async () => {
    const flags = async (query: string) => (await fetch(`${baseUrl}/flags${query}`)).json();
    expect(await flags('?deep')).toEqual({ query: { deep: '' } });
    expect(await flags('?deep=')).toEqual({ query: { deep: '' } });
    expect(await flags('?deep=2')).toEqual({ query: { deep: 2 } });
    expect(await flags('?deep=x')).toMatchObject({ status: 400 });
  });

  it('stand for success in ranges, and redirections do without one', async () => {
    expect(await api['range']!(client)).toEqual({ name: 'Rex' });
    const { data, response } = await api['moved']!(client).withResponse();
    expect({ data, location: response.headers.get('location') }).toEqual({ data: undefined, location: '/elsewhere' });
  });

  it('have required properties of one direction at every depth', async () => {
    const account = { secret: 'y', limits: [{ most: 1 }] };
    const user = await api['addUser']!(client, { body: { password: 'x', metadata: { any: 1 }, account } });
    const answered = { number: 1, limits: [{ used: 0, most: 1 }] };
    expect(user).toEqual({ id: '1', metadata: { any: 1 }, account: answered });
  });
});
