import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, newAuthor, newBook } from '../../support/library.ts';
import { type Reply, type Service, startService } from '../../support/service.ts';

describe.each(databases)('list on $name', (database) => {
  let service: Service;
  let books: Json[];
  let author: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    author = await newAuthor(service);
    books = [];
    for (let n = 0; n < 45; n++) {
      books.push(
        await newBook(service, {
          authorId: author.id,
          title: `Title ${n % 7}`,
          pages: n % 5,
          isReference: n % 2 === 0,
          printed: String(9007199254740993n + BigInt(n % 3)),
          publishedAt: n % 4 === 0 ? null : `2026-01-${String((n % 9) + 1).padStart(2, '0')}T00:00:00Z`,
        }),
      );
    }
  });
  afterAll(() => service.close());

  const list = (query = ''): Promise<Reply> => service.request('GET', `/v1/books?${query}`);

  async function all(query: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      if (reply.status !== 200) throw new Error(reply.text);
      found.push(...reply.body.data);
      cursor = reply.body.page.nextCursor;
    }
    return found;
  }

  it('answers a page of 20 in the order of creation, and where the next begins', async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(books.slice(0, 20));
    expect(reply.body.page.nextCursor).toMatch(/^[\w-]+$/);
    expect(reply.body.page).not.toHaveProperty('totalCount');
    expect(await all('limit=20')).toEqual(books);
  });

  it.each(['-pages,pages', '-pages,pages,-pages', '-pages,title,-title', 'title,-pages,-title'])(
    'goes by the first of a property in sort=%s, over both protocols and from page to page',
    async (sort) => {
      const [first, ...others] = sort.split(',');
      const counted = [first, ...others.filter((one) => one.replace('-', '') !== first!.replace('-', ''))].slice(0, 2);
      const expected = await all(`limit=100&sort=${counted.join(',')}`);
      expect(await all(`limit=7&sort=${sort}`)).toEqual(expected);
      const keys = sort
        .split(',')
        .map((key) => (key.startsWith('-') ? `${key.slice(1)}_DESC` : `${key}_ASC`).toUpperCase());
      const { data, errors } = await service.graphql(`{ books(first: 100, sort: [${keys.join()}]) { nodes { id } } }`);
      expect(errors).toBeUndefined();
      expect(data.books.nodes.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
    },
  );

  it('takes lists with commas and by the repeated name, with one meaning', async () => {
    const [commas, repeated] = [await list('sort=-pages,title&limit=9'), await list('sort=-pages&limit=9&sort=title')];
    expect(repeated.body).toEqual(commas.body);
    const next = await list(`sort=-pages%2Ctitle&limit=9&cursor=${repeated.body.page.nextCursor}`);
    expect(next.status).toBe(200);
    const status = async (query: string) => (await list(`${query}&count=true`)).body.page.totalCount;
    expect(await status('status=DRAFT&status=DRAFT')).toBe(await status('status=DRAFT'));
    const twice = await list('limit=1&limit=2');
    expect(twice.body.errors).toEqual([{ parameter: 'limit', detail: 'must be given once' }]);
  });

  it('ends with a null cursor, also when the last page is full', async () => {
    expect((await list('limit=45')).body.page.nextCursor).toBeNull();
    expect((await list('limit=44')).body.page.nextCursor).not.toBeNull();
  });

  it('counts on request, filters applied', async () => {
    expect((await list('count=true&limit=1')).body.page.totalCount).toBe(45);
    expect((await list('count=true&limit=1&pages[lt]=2')).body.page.totalCount).toBe(18);
  });

  it.each([
    ['title', (a: Json, b: Json) => compare(a.title, b.title) || compare(a.id, b.id)],
    ['-pages', (a: Json, b: Json) => compare(b.pages, a.pages) || compare(b.id, a.id)],
    [
      'pages,-title',
      (a: Json, b: Json) => compare(a.pages, b.pages) || compare(b.title, a.title) || compare(b.id, a.id),
    ],
    [
      '-printed,pages',
      (a: Json, b: Json) =>
        compare(BigInt(b.printed), BigInt(a.printed)) || compare(a.pages, b.pages) || compare(a.id, b.id),
    ],
    ['publishedAt', (a: Json, b: Json) => compare(a.publishedAt ?? '', b.publishedAt ?? '') || compare(a.id, b.id)],
    ['-publishedAt', (a: Json, b: Json) => compare(b.publishedAt ?? '', a.publishedAt ?? '') || compare(b.id, a.id)],
  ])('sorts by %s over all pages', async (sort, order) => {
    expect(await all(`limit=7&sort=${sort}`)).toEqual(books.toSorted(order));
  });

  it.each<[string, (book: Json) => boolean]>([
    ['pages[gte]=3', ({ pages }) => pages >= 3],
    ['pages[gt]=1&pages[lte]=3', ({ pages }) => pages > 1 && pages <= 3],
    ['title[contains]=TITLE%203', ({ title }) => title === 'Title 3'],
    ['isReference=true', ({ isReference }) => isReference],
    ['isReference=false&pages[lt]=1', ({ isReference, pages }) => !isReference && pages < 1],
    ['status=DRAFT,RETIRED', () => true],
    ['status=RETIRED', () => false],
    ['printed[gt]=9007199254740994', ({ printed }) => printed === '9007199254740995'],
    [
      'publishedAt[gte]=2026-01-05T01:00:00%2B01:00',
      ({ publishedAt }) => publishedAt !== null && publishedAt >= '2026-01-05',
    ],
  ])('filters by %s', async (query, test) => {
    expect(await all(`limit=100&${query}`)).toEqual(books.filter(test));
  });

  it('counts a value that a filter names twice once', async () => {
    expect((await all('limit=100&status=DRAFT,DRAFT,RETIRED&sort=title')).length).toBe(45);
  });

  it('filters by reference', async () => {
    expect(await all(`limit=100&authorId=${author.id.toUpperCase()}`)).toEqual(books);
    const { id } = await newAuthor(service);
    expect(await all(`authorId=${id}`)).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['sort=price', 'sort'],
    ['sort=', 'sort'],
    ['status=LOST', 'status'],
    ['status=', 'status'],
    ['count=yes', 'count'],
    ['pages[gte]=x', 'pages'],
    ['pages[near]=1', 'pages'],
    ['pages[gt]=2147483648', 'pages[gt]'],
    ['pages[lte]=-2147483649', 'pages[lte]'],
    ['pages=1', 'pages'],
    ['authorId=1', 'authorId'],
    ['nonsense=1', 'nonsense'],
    ['__proto__=1', '__proto__'],
    ['pages[__proto__]=1', 'pages'],
  ])('refuses %s, naming the parameter', async (query, parameter) => {
    const reply = await list(query);
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(reply.body.errors[0].parameter.startsWith(parameter)).toBe(true);
  });

  it.each([
    ['gt', 2_147_483_647, true],
    ['gt', 2_147_483_648, false],
    ['lte', -2_147_483_648, true],
    ['lte', -2_147_483_649, false],
    ['gte', 3_000_000_000, false],
  ])(
    'takes integers by the bounds of the property over both protocols (%s %d: %s)',
    async (operator, bound, isTaken) => {
      expect((await list(`pages[${operator}]=${bound}`)).status).toBe(isTaken ? 200 : 400);
      const document = 'query ($filter: BookFilter) { books(filter: $filter) { totalCount } }';
      const variables = { filter: { pages: { [operator]: bound } } };
      const { errors } = await service.graphql(document, { variables });
      expect(errors?.[0]?.extensions.code).toBe(isTaken ? undefined : 'VALIDATION_FAILED');
    },
  );

  it('refuses a cursor that was altered, made up, or issued by another list', async () => {
    const { nextCursor } = (await list('limit=5&sort=title')).body.page;
    const flipped = nextCursor.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A'));
    const others = [
      `sort=title&cursor=${flipped}`,
      `sort=title&cursor=${nextCursor}A`,
      `sort=title&cursor=${nextCursor.slice(0, -2)}`,
      `sort=-title&cursor=${nextCursor}`,
      `sort=title&pages[gte]=1&cursor=${nextCursor}`,
      'cursor=abc',
      'cursor=',
      `cursor=${Buffer.from('["x"]').toString('base64url')}`,
    ];
    for (const query of others) {
      expect(await list(query), query).toMatchObject({ status: 400, body: { errors: [{ parameter: 'cursor' }] } });
    }
    const elsewhere = await service.request('GET', `/v1/authors?sort=name&cursor=${nextCursor}`);
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
  });

  it('accepts a cursor with another limit', async () => {
    const { nextCursor } = (await list('limit=5')).body.page;
    expect((await list(`limit=40&cursor=${nextCursor}`)).body.data).toEqual(books.slice(5));
  });

  it('shows each stable row once while others come and go', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = '', n = 0; cursor !== null; n++) {
      const reply: Reply = await list(`limit=6&sort=-title${cursor && `&cursor=${cursor}`}`);
      seen.push(...reply.body.data.map((book: Json) => book.id));
      cursor = reply.body.page.nextCursor;
      const passing = await newBook(service, { authorId: author.id, title: `Title ${n % 7}`, pages: 99 });
      if (n % 2) await service.request('DELETE', `/v1/books/${passing.id}`, { as: librarian });
    }
    const stable = books.map((book) => book.id);
    expect(seen.filter((id) => stable.includes(id)).toSorted()).toEqual(stable.toSorted());
  });
});

function compare<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
