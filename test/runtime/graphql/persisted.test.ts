import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/descriptor/config-error.ts';
import { readRegisteredDocuments } from '../../../src/runtime/registered-documents.ts';
import { databases } from '../../support/databases.ts';
import { Shop } from '../../support/storefront.ts';
import { graphqlTransports } from '../../support/transports.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } });

describe.each(databases)('automatic persisted queries on $name', (database) => {
  let shop: Shop;
  let port = 0;

  beforeAll(async () => {
    shop = await Shop.open(database);
    port = await shop.listen();
  });
  afterAll(() => shop.close());

  describe.each(graphqlTransports)('over $name', ({ name, send }) => {
    const query = `{ __typename } # ${name}`;
    const extensions = persisted(sha256(query));
    const answer = { data: { __typename: 'Query' } };

    it('are asked for once, then known by every transport', async () => {
      const { status, data, errors } = await send(port, { extensions });
      expect(errors).toMatchObject([
        { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', status: 404 } },
      ]);
      expect(data).toBeUndefined();
      expect(status).toBe(name === 'WebSocket' ? undefined : 404);
      expect(await send(port, { query, extensions })).toMatchObject(answer);
      for (const transport of graphqlTransports)
        expect(await transport.send(port, { extensions })).toMatchObject(answer);
      expect(await send(port, { documentId: `sha256:${sha256(query)}` })).toMatchObject(answer);
    });

    it('take variables and operation names', async () => {
      const several = `query A($n: Int) { products(first: $n) { totalCount } } query B { __typename } # ${name}`;
      const hashed = { extensions: persisted(sha256(several)) };
      await send(port, { query: several, operationName: 'B', ...hashed });
      expect(await send(port, { ...hashed, operationName: 'B' })).toMatchObject(answer);
      const { data } = await send(port, { ...hashed, operationName: 'A', variables: { n: 5 } });
      expect(data).toEqual({ products: { totalCount: 0 } });
      const { errors } = await send(port, { ...hashed, operationName: 'A', variables: { n: 'x' } });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    });

    it.each([
      ['a hash of another document', persisted(sha256('{ other }')), '`sha256Hash` is not the hash of the document.'],
      ['another version', persisted(sha256(query), 2), '`persistedQuery.version` must be 1.'],
      ['no version', { persistedQuery: { sha256Hash: sha256(query) } }, '`persistedQuery.version` must be 1.'],
      ['a hash in capitals', persisted(sha256(query).toUpperCase()), '64 hexadecimal digits in lower case'],
      ['a short hash', persisted('abc'), '64 hexadecimal digits'],
      ['no text for a hash', persisted(1), '64 hexadecimal digits'],
      ['text for an object', { persistedQuery: 'x' }, '`persistedQuery.version` must be 1.'],
    ])('refuse %s', async (_, given, message) => {
      const { status, errors } = await send(port, { query, extensions: given });
      expect(errors).toMatchObject([
        { message: expect.stringContaining(message), extensions: { code: 'MALFORMED_REQUEST' } },
      ]);
      expect(status).toBe(name === 'WebSocket' ? undefined : 400);
    });

    it('do not keep a document under the hash of another', async () => {
      const hash = sha256(`{ never } # ${name}`);
      await send(port, { query, extensions: persisted(hash) });
      const { errors } = await send(port, { extensions: persisted(hash) });
      expect(errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    });

    it.each(['abc', `md5:${sha256(query)}`, `sha256:${sha256(query)}0`])(
      'refuse the document id %s',
      async (documentId) => {
        const { errors } = await send(port, { documentId });
        expect(errors).toMatchObject([{ extensions: { code: 'MALFORMED_REQUEST' } }]);
      },
    );

    it('ignore other extensions and null', async () => {
      expect(await send(port, { query, extensions: { tracing: {} } })).toMatchObject(answer);
      expect(await send(port, { query, extensions: { persistedQuery: null } })).toMatchObject(answer);
    });
  });

  it('are never mutations over GET', async () => {
    const query = 'mutation { deleteProduct(id: "x") }';
    const [post, get] = graphqlTransports;
    const extensions = persisted(sha256(query));
    await post!.send(port, { query, extensions });
    expect(await get!.send(port, { extensions })).toMatchObject({
      status: 405,
      errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }],
    });
  });
});

describe.each(databases)('registered documents on $name', (database) => {
  const known = 'query Known($n: Int) { products(first: $n) { totalCount } }';
  const event = 'subscription { productCreated { id } }';
  const broken = '{ nothing }';
  const registered = new Map([known, event, broken].map((text) => [sha256(text), text]));
  let shop: Shop;
  let port = 0;

  beforeAll(async () => {
    shop = await Shop.open(database, { graphql: { registered } });
    port = await shop.listen();
  });
  afterAll(() => shop.close());

  describe.each(graphqlTransports)('over $name', ({ name, send }) => {
    it.each([
      ['text', { query: known }],
      ['hash', { extensions: persisted(sha256(known)) }],
      ['hash and text', { query: known, extensions: persisted(sha256(known)) }],
      ['id', { documentId: `sha256:${sha256(known)}` }],
    ])('are executed by %s', async (_, parameters) => {
      const answer = await send(port, { ...parameters, variables: { n: 3 } });
      expect(answer).toMatchObject({ data: { products: { totalCount: 0 } } });
    });

    it.each([
      ['another text', { query: '{ __typename }' }],
      ['a text that differs by a space', { query: `${known} ` }],
      ['another text under a known hash', { query: '{ __typename }', extensions: persisted(sha256(known)) }],
      ['another text under a known id', { query: '{ __typename }', documentId: `sha256:${sha256(known)}` }],
      ['another text under its own hash', { query: '{ __typename }', extensions: persisted(sha256('{ __typename }')) }],
      ['text that is not a document', { query: '{' }],
    ])('are executed only, not %s', async (_, parameters) => {
      for (let run = 0; run < 2; run++) {
        const { status, data, errors } = await send(port, parameters);
        expect(data).toBeUndefined();
        expect(errors).toMatchObject([
          { message: 'This server executes registered documents only.', extensions: { code: 'FORBIDDEN' } },
        ]);
        expect(status).toBe(name === 'WebSocket' ? undefined : 403);
      }
    });

    it('are not added by a hash', async () => {
      const { errors } = await send(port, { extensions: persisted(sha256('{ __typename }')) });
      expect(errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    });

    it('are validated all the same', async () => {
      const { errors } = await send(port, { query: broken });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    });

    it('are asked for', async () => {
      const { errors } = await send(port, { variables: {} });
      expect(errors).toMatchObject([{ extensions: { code: 'MALFORMED_REQUEST' } }]);
    });
  });
});

describe('readRegisteredDocuments', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-documents-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const folderOf = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const path = join(folder, name);
    await mkdir(join(path, 'below'), { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
    return path;
  };

  it('reads each .graphql file and the values of each .json file, below the folder, too', async () => {
    const path = await folderOf('good', {
      'a.graphql': '{ a }\n',
      'below/b.graphql': '{ b }',
      'c.json': JSON.stringify({ one: '{ c }', two: '{ d }' }),
      'notes.txt': '{ e }',
    });
    const documents = await readRegisteredDocuments(path);
    expect([...documents.values()].toSorted()).toEqual(['{ a }\n', '{ b }', '{ c }', '{ d }']);
    for (const [hash, text] of documents) expect(hash).toBe(sha256(text));
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without documents', { 'a.txt': '{ a }' }, 'does not contain any documents'],
    ['with a .json file that is not JSON', { 'a.json': '{' }, 'a.json is not valid JSON'],
    [
      'with a .json file that is a list',
      { 'a.json': '["{ a }"]' },
      'a.json is not an object whose values are documents',
    ],
    ['with a .json file that is null', { 'a.json': 'null' }, 'a.json is not an object whose values are documents'],
    [
      'with a document that is not a string',
      { 'a.json': '{"a": 1}' },
      'a.json is not an object whose values are documents',
    ],
  ])('refuses a folder %s', async (name, files, problem) => {
    const failure = await readRegisteredDocuments(await folderOf(name, files)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as ConfigError).message).toMatch(/^GRAPHQL_DOCUMENTS: /);
    expect((failure as ConfigError).message).toContain(problem);
  });

  it('refuses a folder that is not there, and a folder that is named as a file', async () => {
    await expect(readRegisteredDocuments(join(folder, 'missing'))).rejects.toThrow(ConfigError);
    const path = await folderOf('odd', {});
    await mkdir(join(path, 'a.graphql'));
    await expect(readRegisteredDocuments(path)).rejects.toThrow(ConfigError);
  });
});
