import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { withFolder } from '../support/folder.ts';
import { type Json, librarian, newAuthor } from '../support/library.ts';
import { type Service, startCompiled } from '../support/service.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

const WHY = '@parity(rest: ABSENT, because: "A test of custom fields.")';
const EXTENSION = `
extend type Query { oldestAuthor(country: String): Author ${WHY} marks: [[String]] ${WHY} }
extend type Mutation { renameAuthor(id: ID!, name: String!): Author! ${WHY} @auth(scopes: ["library:write"]) }
extend type Author { motto: String ${WHY} titles(prefix: String = "", upper: Boolean): [String!]! ${WHY} }
`;

/** The library with fields that need code. */
const compiled = withFolder({}, async (folder) => {
  cpSync(join(import.meta.dirname, '../fixtures/library'), folder, { recursive: true });
  writeFileSync(join(folder, 'more.graphql'), EXTENSION);
  return compileContract(folder, libraryFrom(1));
});

const FIELDS = `{
  Query: { marks: () => [['A', null, undefined], undefined], oldestAuthor: async ({ country }, { store }) => (await store.authors.list({ country: country ?? 'GB' }))[0] },
  Mutation: { renameAuthor: ({ id, name }, { store }) => store.authors.update(id, { name }) },
  Author: { motto: (authors) => authors.map(() => undefined), titles: (authors, { prefix }) => authors.map(({ name }) => [prefix + name]) },
}`;

const moduleOf = (fields: string): string => `import type { Handlers } from './generated/handlers.ts';
export const handlers = { fields: ${fields} } satisfies Handlers;
`;

const bad: Readonly<Record<string, readonly [from: string, to: string, error: RegExp]>> = {
  'a missing type': ['  Mutation:', '  Subscription:', /'Subscription' does not exist/],
  'a missing field': ['titles: (authors', 'names: (authors', /'names' does not exist/],
  'an argument that the field lacks': ['{ prefix }', '{ suffix }', /Property 'suffix' does not exist/],
  'a property that the parent lacks': ['({ name }) => [', '({ title }) => [', /Property 'title' does not exist/],
  'an answer of another type': ['[prefix + name]', '[1]', /number.*is not assignable/],
  'one answer for all parents': ['authors.map(({ name }) => [prefix + name])', "'x'", /is not assignable/],
  'nothing where something must be': ['store.authors.update(id, { name })', 'null', /is not assignable/],
};

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.ts`;

describe('the types of custom fields', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await compiled;
    const output = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = Object.entries(bad).map(([name, [from, to]]) => [
      fileOf(name),
      moduleOf(FIELDS.replace(from, () => to)),
    ]);
    const others = [
      ['good.ts', moduleOf(FIELDS)],
      ['bare.ts', moduleOf('{}')],
    ];
    errors = await typeErrors(Object.fromEntries([...output, ...cases, ...others]));
  });

  it('accept handlers that match', () => {
    expect(errors.get('good.ts')).toEqual([]);
  });

  it('fit the generated code, where an answer may be null too', () => {
    for (const [path, found] of errors) if (path.startsWith('generated/')) expect([path, found]).toEqual([path, []]);
  });

  it.each(Object.entries(bad))('refuse %s', (name, [from, , error]) => {
    expect(FIELDS).toContain(from);
    expect(errors.get(fileOf(name))!.join('\n')).toMatch(error);
  });

  it('require a handler for each field', () => {
    expect(errors.get('bare.ts')!.join('\n')).toMatch(/Query|Mutation|Author/);
  });
});

describe.each(databases)('custom fields on $name', (database) => {
  let service: Service;
  let calls = 0;
  const fields = {
    Query: {
      marks: () => [['A', null, undefined], undefined],
      oldestAuthor: async ({ country }: Json, { store }: Json) => (await store.authors.list({ country }))[0],
    },
    Mutation: {
      renameAuthor: async ({ id, name }: Json, { store }: Json) => {
        const author = await store.authors.update(id, { name });
        if (name === 'Nobody') throw new Error('secret');
        return author;
      },
    },
    Author: {
      motto: (authors: Json) => authors.map(() => undefined),
      titles: (authors: Json, { prefix, upper }: Json) => {
        calls += 1;
        const titles = authors.map(({ name }: Json) => [`${prefix}${name}`]);
        return upper ? titles.map(([title]: Json) => [title.toUpperCase()]) : titles;
      },
    },
  };
  const start = (given: object) =>
    compiled.then(({ model }) => startCompiled(model!, database, { fields: given } as AnyHandlers));

  beforeAll(async () => {
    service = await start(fields);
  });
  afterAll(() => service.close());

  it('are null where their handlers answer with nothing', async () => {
    const { id } = await newAuthor(service, { name: 'Zoe', country: 'ZZ' });
    const { data } = await service.graphql(
      `{ marks author(id: "${id}") { motto } oldestAuthor(country: "QQ") { id } }`,
    );
    expect(data).toEqual({ marks: [['A', null, null], null], author: { motto: null }, oldestAuthor: null });
  });

  it('are resolved by their handlers, once for all parents of a level', async () => {
    for (const name of ['Ada', 'Ben', 'Cid']) await newAuthor(service, { name, country: 'FR' });
    calls = 0;
    const { data, errors } = await service.graphql(
      '{ authors(sort: [NAME_ASC]) { nodes { titles(prefix: "x") shouted: titles(upper: true) } } oldestAuthor(country: "FR") { name } }',
    );
    expect(errors).toBeUndefined();
    expect(data.authors.nodes[1]).toEqual({ titles: ['xBen'], shouted: ['BEN'] });
    expect(data.oldestAuthor).toEqual({ name: 'Ada' });
    expect(calls).toBe(2);
  });

  it('write in a transaction, which fails as a whole', async () => {
    const { id } = await newAuthor(service, { name: 'Dan', country: 'FR' });
    const rename = (name: string, as?: object) =>
      service.graphql('mutation($id: ID!, $name: String!) { renameAuthor(id: $id, name: $name) { name version } }', {
        variables: { id, name },
        ...(as && { as }),
      });
    expect((await rename('Eve', librarian)).data).toEqual({ renameAuthor: { name: 'Eve', version: 2 } });
    const failed = await rename('Nobody', librarian);
    expect(failed.errors).toMatchObject([{ message: 'Internal server error', extensions: { code: 'INTERNAL_ERROR' } }]);
    expect(failed.text).not.toContain('secret');
    expect((await service.request('GET', `/v1/authors/${id}`)).body.name).toBe('Eve');
    expect((await rename('Fay')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it.each([
    ['a missing one', { Query: fields.Query, Author: fields.Author }, 'Mutation.renameAuthor needs a handler'],
    ['an extra one', { ...fields, Book: { title: () => [] } }, 'Book.title is not a custom field of the contract'],
  ])('do not boot with %s', async (_, given, message) => {
    await expect(start(given)).rejects.toThrow(message);
  });
});

it('a contract without custom fields needs no handlers', async () => {
  const { files } = await compileContract('test/fixtures/cats');
  expect(files!.get('handlers.ts')).toContain('readonly fields?: Fields;');
  expect((await compiled).files!.get('handlers.ts')).toContain('readonly fields: Fields;');
  expect(readFileSync('generated/handlers.ts', 'utf8')).toContain('readonly fields?: Fields;');
});
