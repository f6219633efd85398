import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { type Json, loansAdmin, member, newAuthor, newBook, newCopy, newLoan } from '../../support/library.ts';
import { type Service, startCompiled } from '../../support/service.ts';

interface Counted {
  readonly totalCount?: number;
}

/** Entries are counted up to three. */
const BOUNDED: readonly Edit[] = [
  [
    'openapi.yaml',
    'totalCount: { type: integer, minimum: 0 }',
    'totalCount: { type: integer, minimum: 0, maximum: 3 }\n        totalCountIsExact: { type: boolean }',
  ],
  ['library.graphql', 'totalCount: Int!', 'totalCount: Int!\n  totalCountIsExact: Boolean!'],
];
const AT_LEAST_3 = { totalCount: 3, totalCountIsExact: false };
const exactly = (totalCount: number) => ({ totalCount, totalCountIsExact: true });

describe.each(databases)('bounded counts on $name', (database) => {
  let service: Service;
  let few: Json;
  let many: Json;

  beforeAll(async () => {
    service = await startCompiled(await editedContract('library', BOUNDED), database, {
      overrides: {
        loans: {
          list: async (query: never, _context: unknown, next: (query: never) => Promise<unknown>) => {
            const page = (await next(query)) as Counted;
            return page.totalCount === undefined ? page : { ...page, totalCount: 1_000 };
          },
        },
      },
    });
    [few, many] = [await newAuthor(service), await newAuthor(service)];
    for (const author of [few, few, few, many, many, many, many])
      await newBook(service, { authorId: author.id, pages: author === few ? 1 : 2 });
  });
  afterAll(() => service.close());

  const overRest = async (query: string): Promise<Json> => {
    const { nextCursor: _, ...counted } = (await service.request('GET', `/v1/books?limit=1&${query}`)).body.page;
    return counted;
  };

  it.each([
    ['', '', AT_LEAST_3],
    ['pages[lt]=2', 'filter: { pages: { lt: 2 } }', exactly(3)],
    ['pages[gte]=2', 'filter: { pages: { gte: 2 } }', AT_LEAST_3],
    ['pages[gt]=2', 'filter: { pages: { gt: 2 } }', exactly(0)],
  ])('are the same over both protocols: %s', async (query, args, expected) => {
    expect(await overRest(`count=true&${query}`)).toEqual(expected);
    const { data } = await service.graphql(
      `{ books(first: 1${args && `, ${args}`}) { totalCount totalCountIsExact } }`,
    );
    expect(data.books).toEqual(expected);
  });

  it('say nothing where nothing is counted, and count where only the boolean is selected', async () => {
    expect(await overRest('')).toEqual({});
    const { data } = await service.graphql('{ books { totalCountIsExact } }');
    expect(data.books).toEqual({ totalCountIsExact: false });
  });

  it('are told of each nested list, on its first page and later ones', async () => {
    const books = [await newBook(service, { pages: 900 }), await newBook(service, { pages: 900 })];
    for (const [i, label] of [0, 0, 0, 1, 1, 1, 1].entries())
      await newCopy(service, books[label].id, { label: `C${i}` });
    const fields = 'totalCount totalCountIsExact';
    const query = `{ books(filter: { pages: { gte: 900 } }) { nodes { copies(first: 1) { ${fields} pageInfo { endCursor } } } } }`;
    const { nodes } = (await service.graphql(query)).data.books;
    expect(nodes).toMatchObject([{ copies: exactly(3) }, { copies: AT_LEAST_3 }]);
    const after = `first: 1, after: "${nodes[1].copies.pageInfo.endCursor}"`;
    const later = await service.graphql(`{ book(id: "${books[1].id}") { copies(${after}) { ${fields} } } }`);
    expect(later.data.book.copies).toEqual(AT_LEAST_3);
  });

  it('bind overrides, which tell nobody of more than the caller sees', async () => {
    await newLoan(service, member);
    const page = async (as: object) => {
      const { body } = await service.request('GET', '/v1/loans?count=true', { as });
      const { totalCount, totalCountIsExact } = body.page;
      return { totalCount, totalCountIsExact };
    };
    expect(await page(loansAdmin)).toEqual(AT_LEAST_3);
  });

  it('change the entity tag of a page when they change', async () => {
    const url = '/v1/books?count=true&limit=1&pages[gt]=7000';
    const first = await service.request('GET', url);
    const headers = { 'if-none-match': first.headers['etag'] as string };
    expect((await service.request('GET', url, { headers })).status).toBe(304);
    await newBook(service, { authorId: many.id, pages: 8000 });
    const after = await service.request('GET', url, { headers });
    expect([after.status, after.body.page.totalCount]).toEqual([200, 1]);
  });
});
