import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { bookInput, type Json, librarian, newAuthor, newBook } from '../../support/library.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const TIME = '{ type: string, format: date-time }';
/** The library's books can be found by equal times, too. */
const EDITS: readonly Edit[] = [
  ['openapi.yaml', `properties: { gt: ${TIME}, gte: ${TIME}`, `properties: { eq: ${TIME}, gt: ${TIME}, gte: ${TIME}`],
  [
    'openapi.yaml',
    '        - { name: publishedAt, in: query',
    `        - { name: createdAt, in: query, explode: false, schema: { type: array, maxItems: 5, items: ${TIME} } }\n        - { name: publishedAt, in: query`,
  ],
  // An operation that takes a time, and writes it.
  [
    'openapi.yaml',
    '  /books/{bookId}/copies:\n',
    `  /books/{bookId}/publication:
    post:
      operationId: publishBook
      security: []
      parameters: [{ name: bookId, in: path, required: true, schema: { type: string, format: uuid } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [at], properties: { at: ${TIME} } } } }
      responses: { '204': { description: Published. } }
  /books/{bookId}/copies:
`,
  ],
  [
    'library.graphql',
    'type Mutation {\n',
    'type Mutation {\n  publishBook(bookId: ID!, at: DateTime!): Boolean! @operation(id: "publishBook")\n',
  ],
  ['library.graphql', 'input DateTimeRange {', 'input DateTimeRange {\n  eq: DateTime'],
  ['library.graphql', '  publishedAt: DateTimeRange\n', '  publishedAt: DateTimeRange\n  createdAt: [DateTime!]\n'],
];

/** What is sent, and what is stored. */
const SPELLINGS: readonly (readonly [sent: string, stored: string])[] = [
  ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123Z'],
  ['2026-01-01t00:00:00.999999999z', '2026-01-01T00:00:00.999Z'],
  ['2026-01-01T00:00:00.1-00:00', '2026-01-01T00:00:00.100Z'],
  ['2026-01-01T05:30:00+05:30', '2026-01-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  [`2026-01-01T00:00:00.${'5'.repeat(300)}Z`, '2026-01-01T00:00:00.555Z'],
];

/** The times that code has taken. */
const taken: string[] = [];
const handlers = {
  operations: {
    publishBook: async ({ bookId, input: { at } }: Json, { store }: Json) => {
      taken.push(at);
      await store.books.update(bookId, { publishedAt: at });
    },
  },
} as unknown as AnyHandlers;

describe.each(databases)('times on $name', (database) => {
  let service: Service;
  let author: Json;
  beforeAll(async () => {
    const { model, findings } = await editedFolder('library', EDITS, modelContract);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    service = await startCompiled(model!, database, handlers);
    author = await newAuthor(service);
  });
  afterAll(() => service.close());

  it.each(SPELLINGS)('%s is accepted over REST and stored with milliseconds', async (sent, stored) => {
    const book = await newBook(service, { authorId: author.id, publishedAt: sent });
    expect(book.publishedAt).toBe(stored);
    const reply = await service.request('PATCH', `/v1/books/${book.id}`, {
      as: librarian,
      body: { publishedAt: sent },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(reply.body.publishedAt).toBe(stored);
  });

  it.each(SPELLINGS)('%s is accepted over GraphQL, as a literal and as a variable', async (sent, stored) => {
    const input = { ...bookInput(author.id), publishedAt: sent };
    const created = await service.graphql(
      'mutation ($input: BookInput!) { createBook(input: $input) { id publishedAt } }',
      {
        as: librarian,
        variables: { input: { ...input, edition: { paper: { binding: 'HARD' } } } },
      },
    );
    expect(created.data?.createBook.publishedAt, created.text).toBe(stored);
    const { id } = created.data.createBook;
    const updated = await service.graphql(
      `mutation { updateBook(id: "${id}", input: { publishedAt: "${sent}" }) { publishedAt } }`,
      { as: librarian },
    );
    expect(updated.data?.updateBook.publishedAt, updated.text).toBe(stored);
  });

  it.each(SPELLINGS)(
    '%s reaches code as it was sent, over both protocols, and is stored like any other',
    async (sent, stored) => {
      const { id } = await newBook(service, { authorId: author.id });
      const kept = async () => (await service.request('GET', `/v1/books/${id}`)).body.publishedAt;
      expect((await service.request('POST', `/v1/books/${id}/publication`, { body: { at: sent } })).status).toBe(204);
      expect(await kept()).toBe(stored);
      await service.request('POST', `/v1/books/${id}/publication`, { body: { at: '2000-01-01T00:00:00Z' } });
      const { errors } = await service.graphql(`mutation { publishBook(bookId: "${id}", at: "${sent}") }`);
      expect(errors).toBeUndefined();
      expect(await kept()).toBe(stored);
      expect(taken.splice(0)).toEqual([sent, '2000-01-01T00:00:00Z', sent]);
    },
  );

  it.each(['2026-01-01T00:00:60Z', '2026-01-01 00:00:00Z', '2026-01-01T00:00:00', '2026-01-01T00:00:00.Z', 'now'])(
    '%s is refused with what a time is',
    async (sent) => {
      const detail = 'must be a date and time (RFC 3339, without leap seconds)';
      const body = bookInput(author.id, { publishedAt: sent });
      const created = await service.request('POST', '/v1/books', { as: librarian, body });
      expect(created.body.errors).toEqual([{ pointer: '/publishedAt', detail }]);
      const listed = await service.request('GET', `/v1/books?publishedAt[gt]=${encodeURIComponent(sent)}`);
      expect(listed.body.errors).toEqual([{ parameter: 'publishedAt[gt]', detail }]);
      const { errors } = await service.graphql(
        `{ books(filter: { publishedAt: { gt: "${sent}" } }) { nodes { id } } }`,
      );
      expect(errors?.[0]?.message).toContain('DateTime must be a date and time (RFC 3339, without leap seconds)');
    },
  );

  describe('in filters', () => {
    const AT = '2030-05-05T05:05:05.';
    const rows = ['000', '001', '002'];
    beforeAll(async () => {
      for (const part of rows) await newBook(service, { authorId: author.id, publishedAt: `${AT}${part}Z` });
    });

    const found = (books: readonly Json[]): readonly string[] =>
      books.map(({ publishedAt }) => publishedAt.slice(20, 23)).sort();

    /** The rows that the operator selects over both protocols, which agree. */
    async function selected(operator: string, time: string): Promise<readonly string[]> {
      const others = { gte: `${AT}000Z`, lte: `${AT}002Z` };
      const query = Object.entries({ ...others, [operator]: time })
        .map(([name, value]) => `publishedAt[${name}]=${encodeURIComponent(value)}`)
        .join('&');
      const rest = await service.request('GET', `/v1/books?${query}`);
      const graphql = await service.graphql(
        'query ($time: DateTimeRange!) { books(filter: { publishedAt: $time }) { nodes { publishedAt } } }',
        { variables: { time: { ...others, [operator]: time } } },
      );
      const operands = Object.entries({ ...others, [operator]: time }).map(([name, value]) => `${name}: "${value}"`);
      const literal = await service.graphql(
        `{ books(filter: { publishedAt: { ${operands.join(', ')} } }) { nodes { publishedAt } } }`,
      );
      expect(found(graphql.data.books.nodes)).toEqual(found(rest.body.data));
      expect(found(literal.data.books.nodes), literal.text).toEqual(found(rest.body.data));
      return found(rest.body.data);
    }

    it.each([
      ['gt', `${AT}0005Z`, ['001', '002']],
      ['gte', `${AT}0005Z`, ['001', '002']],
      ['lt', `${AT}0005Z`, ['000']],
      ['lte', `${AT}0005Z`, ['000']],
      ['eq', `${AT}0005Z`, []],
      ['gt', `${AT}001000Z`, ['002']],
      ['gte', `${AT}001000Z`, ['001', '002']],
      ['lt', `${AT}001000Z`, ['000']],
      ['lte', `${AT}001000Z`, ['000', '001']],
      ['eq', `${AT}001000z`, ['001']],
      ['gte', `${AT}0019999Z`, ['002']],
      ['lt', `${AT}0019999Z`, ['000', '001']],
    ])('%s %s selects what it says', async (operator, time, expected) => {
      expect(await selected(operator, time)).toEqual(expected);
    });

    it('one of several times is none that lies between two milliseconds', async () => {
      const of = async (...times: string[]) =>
        (await service.request('GET', `/v1/books?count=true&createdAt=${times.map(encodeURIComponent).join(',')}`)).body
          .page.totalCount;
      const exact = service.now.replace('Z', '000+00:00');
      const finer = service.now.replace('Z', '0001Z');
      expect(await of(exact)).toBeGreaterThan(0);
      expect(await of(finer)).toBe(0);
      expect(await of(finer, exact)).toBe(await of(exact));
      const { data } = await service.graphql(`{ books(filter: { createdAt: ["${finer}"] }) { nodes { id } } }`);
      expect(data.books.nodes).toEqual([]);
    });
  });
});
