import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addTo, type Outcome } from '../../../src/authoring/scaffold/addition.ts';
import { handlerStub } from '../../../src/authoring/scaffold/handler-stub.ts';
import { readAddition } from '../../../src/authoring/scaffold/read-addition.ts';
import type { AdditionFlags, AdditionKind } from '../../../src/authoring/scaffold/words/addition-kinds.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { operationWithId } from '../../../src/descriptor/rest.ts';
import { textsIn } from '../../support/folder.ts';
import { oneIn } from '../../support/thorough.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

const everything = () => textsIn(folder);

async function add(
  kind: AdditionKind,
  name: string,
  words: readonly string[],
  flags: AdditionFlags = {},
): Promise<Outcome> {
  return addTo(folder, readAddition(kind, name, words, flags));
}

/** The contract after an addition, which both sides agree on. */
async function after() {
  const { model, findings, parity } = await modelContract(folder);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(parity.filter(({ verdict }) => verdict === 'different')).toEqual([]);
  return model!;
}

const library = () => cp('test/fixtures/library', folder, { recursive: true });
const books = ({ resources }: Awaited<ReturnType<typeof after>>) => resources.find(({ key }) => key === 'books')!;

describe('new', () => {
  it('includes related rows in a list and in one, and more of them later', async () => {
    await library();
    expect(await add('include', 'books', ['author'])).toMatchObject({ kind: 'written' });
    expect(await add('include', 'books', ['copies'])).toMatchObject({ kind: 'written' });
    const { rest, resources } = await after();
    expect(Object.keys(resources.find(({ key }) => key === 'books')?.includes ?? {})).toEqual(['author', 'copies']);
    for (const id of ['listBooks', 'getBook']) {
      const { parameters } = operationWithId(rest.operations, id);
      const include = parameters.find(({ name }) => name === 'include');
      expect(include?.schema).toMatchObject({ items: { enum: ['author', 'copies'] } });
    }
    await expect(add('include', 'books', ['author'])).rejects.toThrow('listBooks includes author already.');
  });

  it.each([
    ['books', 'auther', 'names `auther`, which is not related to `Book`'],
    ['books', 'loans', 'names `loans`, which needs credentials'],
    ['books', 'title', 'names `title`, which is a property of `Book`'],
  ])('includes no %s.%s', async (collection, name, message) => {
    await library();
    const before = await everything();
    const outcome = await add('include', collection, [name]);
    expect(outcome.kind === 'refused' && outcome.findings[0]?.message).toContain(message);
    expect(await everything()).toEqual(before);
  });

  it('gives references and filters the type of the ids that they refer to', async () => {
    await cp('test/fixtures/atlas', folder, { recursive: true });
    expect(await add('reference', 'travellers', ['origin:countries', 'stop:visits'])).toMatchObject({
      kind: 'written',
    });
    await add('filter', 'travellers', ['originId']);
    const travellers = (await after()).resources.find(({ key }) => key === 'travellers')!;
    const types = ['originId', 'stopId'].map((one) => travellers.properties.find(({ name }) => name === one)?.type);
    expect(types).toEqual(['string', 'integer']);
    expect(travellers.list!.filters.at(-1)).toMatchObject({ property: 'originId', shape: 'eq' });
  });

  it('refuses a kind of ids for what has none of its own', () => {
    expect(() => readAddition('reference', 'trips', ['origin:countries'], { id: 'slug' })).toThrow(
      /--id is of a new resource/,
    );
  });

  it('adds a field to the resource, its input and its patch', async () => {
    await library();
    await add('field', 'books', ['subtitle:string', 'language:enum(EN,DE)!', 'shelfmark:string!:immutable']);
    const model = await after();
    expect(
      books(model)
        .properties.slice(-3)
        .map(({ name, immutable }) => [name, immutable]),
    ).toEqual([
      ['subtitle', undefined],
      ['language', undefined],
      ['shelfmark', true],
    ]);
    expect(model.graphql!.sdl).toMatch(/input BookInput \{[^}]*language: BookLanguage!\s*shelfmark: String!/);
    expect(model.graphql!.sdl).not.toMatch(/input BookPatch \{[^}]*shelfmark/);
  });

  it('adds a reference, and the field that follows it', async () => {
    await library();
    await add('reference', 'loans', ['handler:authors']);
    const { graphql } = await after();
    expect(graphql!.descriptor.fields['Loan.handler']).toMatchObject({ kind: 'reference', property: 'handlerId' });
  });

  it('adds filters and keys of order', async () => {
    await library();
    await add('filter', 'books', ['price', 'lentCount:gte,lt', 'isbn:contains', 'editorId']);
    await add('sort', 'books', ['lentCount']);
    const { list } = books(await after());
    expect(list!.filters.slice(-4).map(({ parameter, operators }) => [parameter, operators])).toEqual([
      ['price', ['eq']],
      ['lentCount', ['gte', 'lt']],
      ['isbn', ['contains']],
      ['editorId', ['eq']],
    ]);
    expect(list!.sorts.slice(-2).map(({ value }) => value)).toEqual(['lentCount', '-lentCount']);
  });

  it('adds them to all connections of the resource, and to the conditions of its list', async () => {
    await cp('test/fixtures/tracker', folder, { recursive: true });
    await add('sort', 'issue-labels', ['createdAt']);
    await add('field', 'projects', ['stage:enum(PLAN,DONE)']);
    expect(await add('filter', 'projects', ['stage'])).toMatchObject({ kind: 'written' });
    const { graphql } = await after();
    expect(graphql!.sdl.match(/sort: \[IssueLabelSort!\]/g)).toHaveLength(3);
    expect(graphql!.sdl).toMatch(/input ProjectFilter \{[^}]*\bstage: \[ProjectStage!\]/);
  });

  it('lets a list be sorted by all its properties at once, where it could be before', async () => {
    await library();
    await add('sort', 'books', ['lentCount']);
    await add('sort', 'loans', ['createdAt']);
    const text = await readFile(join(folder, 'openapi.yaml'), 'utf8');
    const most = (value: string): string => text.split('\n').find((line) => line.includes(`enum: [${value}`))!;
    expect(most('title')).toContain('maxItems: 5, items: { type: string, enum: [title,');
    expect(most('dueOn')).toContain('maxItems: 4, items: { type: string, enum: [dueOn,');
  });

  it('adds a custom operation beside its resource, and has its function to paste', async () => {
    await cp('contracts', folder, { recursive: true });
    await add('operation', 'shipOrder', ['POST /orders/{orderId}/ship', 'carrier:string!'], { returns: 'Order' });
    expect(await readFile(join(folder, 'graphql/orders.graphql'), 'utf8')).toMatch(
      /shipOrder\([\s\S]*input ShipOrderInput/,
    );
    const stub = handlerStub(await after(), 'shipOrder');
    expect(stub).toContain('  operations: {\n    shipOrder: async ({ orderId, input }, { asCaller }) => {');
  });

  it('finds the schema that an operation answers in a file that nothing refers to yet', async () => {
    await cp('contracts', folder, { recursive: true });
    const census = 'description: How many there are.\ntype: object\nproperties: { users: { type: string } }\n';
    await writeFile(join(folder, 'schemas', 'Census.yaml'), census);
    expect(await add('operation', 'takeCensus', ['GET /census'], { returns: 'Census' })).toMatchObject({
      kind: 'written',
    });
    expect((await after()).graphql!.sdl).toMatch(/takeCensus: Census! @operation\(id: "takeCensus"\)/);
    await expect(add('operation', 'takeStock', ['GET /stock'], { returns: 'Stocks' })).rejects.toThrow(
      '--returns Stocks: unknown schema.',
    );
  });

  const taken = [
    ['filter', 'ThingFilter', 'the input that selects entries'],
    ['sort', 'ThingSort', 'the enum to sort by'],
    ['connection', 'ThingConnection', 'a page'],
  ] as const;

  it.each(oneIn(3, taken))(
    'says that the name is taken that the values of a property %s would have',
    async (property, name, what) => {
      await library();
      const before = await everything();
      const outcome = await add('resource', 'things', [`${property}:enum(A,B)!`]);
      expect(outcome).toMatchObject({
        kind: 'refused',
        findings: [
          {
            rule: 'graphql-name-collision',
            message: `The name \`${name}\` is taken: in GraphQL it is ${what} in lists of \`Thing\`, so the values of \`${property}\` need another.`,
          },
        ],
      });
      expect(await everything()).toEqual(before);
      expect(await add('resource', 'things', [`${property}:string!`])).toMatchObject({ kind: 'written' });
      await after();
    },
  );

  it('adds a custom operation with its GraphQL field, which have the access of their resource', async () => {
    await library();
    await add('operation', 'lendBook', ['POST /books/{bookId}/lend', 'dueOn:date!'], { returns: 'Loan' });
    const { operations, graphql } = await after();
    const lend = operations.find(({ operationId }) => operationId === 'lendBook')!;
    expect(lend).toMatchObject({ method: 'post', path: '/books/{bookId}/lend' });
    expect(lend.access.anyOf).toEqual([{ schemes: [{ name: 'bearer', scopes: ['library:write'] }] }]);
    expect(graphql!.sdl).toMatch(
      /lendBook\([^)]*id: ID!\s*input: LendBookInput!\s*\): Loan! @operation\(id: "lendBook"\)/,
    );
  });

  it('adds an error code, beside the standard ones where it is the first', async () => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    await add('error', 'CAT_ASLEEP', ['409', 'It must not be woken.']);
    await add('error', 'CAT_AWAY', ['409']);
    const { errors } = await after();
    expect(errors['CAT_ASLEEP']).toMatchObject({
      status: 409,
      title: 'Cat asleep',
      description: 'It must not be woken.',
    });
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(['CAT_AWAY', 'NOT_FOUND']));
  });

  it('adds to a contract that is split into files, in its files', async () => {
    await cp('contracts', folder, { recursive: true });
    const before = await everything();
    await add('field', 'products', ['origin:string']);
    await after();
    const now = await everything();
    expect(Object.keys(now).filter((path) => now[path] !== before[path])).toEqual([
      'graphql/products.graphql',
      'schemas/Product.yaml',
      'schemas/ProductInput.yaml',
      'schemas/ProductPatch.yaml',
    ]);
  });

  const refused: readonly [AdditionKind, string, readonly string[], string][] = [
    ['field', 'book', ['x:string'], 'Did you mean `books`?'],
    ['field', 'books', ['title:string'], 'Book has a property title already'],
    ['field', 'books', ['x:ref(auhtors)'], 'did you mean `authors`?'],
    ['filter', 'books', ['titl'], 'did you mean `title`?'],
    ['filter', 'books', ['pages'], 'has a parameter pages already'],
    ['filter', 'books', ['price:gtr'], 'Did you mean `gt`?'],
    ['sort', 'books', ['page'], 'did you mean `pages`?'],
    ['sort', 'books', ['title'], 'can be sorted by title already'],
    ['operation', 'LendBook', ['POST /lend'], 'like lendBook'],
    ['operation', 'listBooks', ['POST /lend'], 'listBooks already exists'],
    ['operation', 'lendBook', ['post /lend'], 'Did you mean `POST`?'],
    ['operation', 'lendBook', ['/lend'], 'is not a route'],
    ['error', 'bookOnLoan', ['409'], 'like BOOK_ON_LOAN'],
    ['error', 'BOOK_ON_LOAN', ['200'], 'a status from 400 to 599'],
    ['error', 'NOT_FOUND', ['404'], 'NOT_FOUND is a standard code'],
    ['sort', 'books', [], 'Name the addition'],
  ];

  it.each(oneIn(3, refused))(
    '%s %s %j is refused with what to write, and nothing is written',
    async (kind, name, words, message) => {
      await library();
      const before = await everything();
      await expect(add(kind, name, words)).rejects.toThrow(
        new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'),
      );
      expect(await everything()).toEqual(before);
    },
  );

  it('writes nothing when the contract would have an error', async () => {
    await library();
    const before = await everything();
    expect(await add('filter', 'books', ['price:gt'])).toMatchObject({ kind: 'refused' });
    expect(await everything()).toEqual(before);
  });
});
