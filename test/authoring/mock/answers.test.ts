import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { Command } from '../../support/command.ts';
import { filledFolders } from '../../support/folder.ts';

type Schema = Readonly<Record<string, unknown>>;

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const leading = (count: number, to: (index: number) => Schema): Schema =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, to(index)]));

/** Each is answered by `GET /NAME`. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  pet: {
    oneOf: [reference('cat'), reference('dog')],
    discriminator: { propertyName: 'kind', mapping: { tom: '#/components/schemas/cat' } },
  },
  cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  dog: { type: 'object', properties: { kind: { type: 'string' }, tricks: { type: 'integer' } } },
  pair: {
    type: 'array',
    prefixItems: [
      { type: 'string', format: 'time' },
      { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    ],
    minItems: 2,
  },
  wide: { type: 'object', properties: leading(14, () => reference('wide')) },
  removed: { type: 'object', properties: leading(700, (index) => reference(`step${index % 5}`)) },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((index) => [`step${index}`, { type: 'object', properties: { back: reference('removed') } }]),
  ),
  endless: { type: 'object', required: ['again'], properties: { again: reference('endless') } },
  huge: { type: 'array', minItems: 100_000, items: { type: 'integer' } },
  long: { type: 'string', minLength: 70_000 },
  odd: { type: 'string', not: { type: 'string' } },
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Shapes', version: '1' },
  paths: Object.fromEntries(
    Object.keys(SCHEMAS).flatMap((name) => [
      [`/${name}`, answering(name, 'application/json')],
      [`/typed/${name}`, answering(name, 'application/json; charset=utf-8', 'application/vnd.shape+json')],
    ]),
  ),
  components: { schemas: SCHEMAS },
} as unknown as OpenApiDocument;

/** An operation that answers a schema in these media types. */
function answering(name: string, ...types: readonly string[]) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: reference(name) }]));
  return { get: { operationId: `get-${name}-${types.length}`, responses: { 200: { description: name, content } } } };
}

const schemas = createSchemaRegistry(document);
/** A field whose type leads back to itself 14 times. */
const sdl = `type Query { node: Node! @parity(rest: ABSENT, because: "only shapes") }
type Node { name: String! children: [Node!]! ${[...'abcdefghijklmn'].map((name) => `${name}: Node`).join(' ')} }`;
/** Of no field. */
const absent = { 'x-parity': { graphql: 'absent', because: 'only shapes' } };
const alone = {
  ...document,
  paths: { '/dog': { get: { ...answering('dog', 'application/json').get, ...absent } } },
  components: { schemas: { dog: SCHEMAS['dog'] } },
};
const folders = filledFolders(async (folder, name) => {
  await writeFile(join(folder, 'openapi.yaml'), JSON.stringify(name === 'nodes' ? alone : document));
  if (name === 'nodes') await writeFile(join(folder, 'schema.graphql'), sdl);
});

async function mockWith(seed: number, folder = 'shapes') {
  const port = await freePort();
  const options = ['--contracts', await folders(folder), '--seed', String(seed)];
  const mock = new Command('scripts/mock.ts', options, { PORT: String(port), LOG_LEVEL: 'warn' });
  await mock.output(/Ctrl-C/);
  const get = async (path: string, accept = '*/*') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
    const text = await response.text();
    const field = (name: string) => response.headers.get(name);
    return { status: response.status, fault: field('mock-fault'), type: field('content-type'), text };
  };
  const ask = async (query: string) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    };
    return (await fetch(`http://127.0.0.1:${port}/graphql`, request)).json();
  };
  return { mock, get, ask };
}

describe('an answer that the mock makes up', () => {
  let mock: Command;
  let get: Awaited<ReturnType<typeof mockWith>>['get'];
  beforeAll(async () => {
    ({ mock, get } = await mockWith(1));
  });
  afterAll(async () => void (await mock.stop()));

  test.each(['pet', 'pair', 'wide', 'removed'])('is valid and at most 64 KiB large: %s', async (name) => {
    const check = schemas.output(reference(name));
    for (let i = 0; i < 20; i += 1) {
      const { status, fault, text } = await get(`/${name}`);
      expect({ status, fault, faults: check(JSON.parse(text)) }).toEqual({
        status: 200,
        fault: null,
        faults: undefined,
      });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
    }
  });

  test.each([
    ['endless', /contains itself/],
    ['huge', /its smallest value is made of 100001 values/],
    ['long', /more than 65536 bytes/],
    ['odd', /^the body /],
  ])('comes with the reason if it could not be made: %s', async (name, reason) => {
    const { status, fault } = await get(`/${name}`);
    expect(status).toBe(200);
    expect(fault).toMatch(reason);
    await mock.output(new RegExp(`get-${name}-1.*the mock's answer does not meet its schema`));
  });

  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/vnd.shape+json', 'application/vnd.shape+json'],
  ])('is JSON in the media type that the caller prefers: %s', async (accept, type) => {
    for (const name of ['pet', 'pair']) {
      const answer = await get(`/typed/${name}`, accept);
      expect(answer.type).toContain(type);
      expect(schemas.output(reference(name))(JSON.parse(answer.text))).toBeUndefined();
    }
  });

  test('is the same for a seed', async () => {
    const texts = async (seed: number) => {
      const other = await mockWith(seed);
      const { text } = await other.get('/wide');
      await other.mock.stop();
      return text;
    };
    const [first, again, another] = [await texts(3), await texts(3), await texts(4)];
    expect(again).toBe(first);
    expect(another).not.toBe(first);
  });

  test('comes to an end over GraphQL, too', async () => {
    const { mock: other, ask } = await mockWith(1, 'nodes');
    const answer = await ask('{ node { name children { name } a { name b { name c { a { name } } } } n { name } } }');
    await other.stop();
    const node = { name: expect.any(String) };
    expect(answer).toMatchObject({ data: { node: { ...node, children: [node, node], a: { ...node, b: node } } } });
  });
});
