import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type As, type Service, startService } from '../../support/service.ts';

const ada: As = { sub: '01941f29-7c00-7a10-8c57-000000000001', scope: '' };
const bob: As = { sub: '01941f29-7c00-7a10-8c57-000000000002', scope: '' };
const admin: As = { sub: '01941f29-7c00-7a10-8c57-000000000003', scope: 'entries:admin' };

const ENTRIES = [
  { title: 'Crème brûlée', body: 'Caramel on top, and AND inside', mood: 'GOOD' },
  { title: 'A walk', body: 'with the creme de la creme', mood: 'GOOD' },
  { title: 'Nothing', mood: 'BAD' },
  { title: 'Caramel', body: 'creamy', mood: 'BAD' },
  { title: 'Zebra crossing', body: 'no sweets: caramel-free', mood: 'BAD' },
];

interface Found {
  readonly titles: readonly string[];
  readonly count?: number;
}

interface Ask {
  readonly search?: string;
  readonly sort?: string;
  readonly mood?: string;
  readonly notebookId?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

describe.each(databases)('a search on $name', (database) => {
  let service: Service;
  let notebook: string;

  const create = async (path: string, body: object, as: As): Promise<string> =>
    (await service.request('POST', path, { as, body })).body.id;

  beforeAll(async () => {
    service = await startService('diary', database);
    notebook = await create('/v1/notebooks', { name: 'Of sweets' }, ada);
    for (const [i, entry] of ENTRIES.entries())
      await create('/v1/entries', { ...entry, ...(i % 2 === 0 && { notebookId: notebook }) }, ada);
    await create('/v1/entries', { title: "Bob's caramel", mood: 'BAD', notebookId: notebook }, bob);
  });
  afterAll(() => service.close());

  const overRest = async (ask: Ask, as = ada): Promise<Found> => {
    const parameters = Object.entries({ ...ask, count: true }).map(([name, value]) => [name, String(value)]);
    const url = `/v1/entries?${new URLSearchParams(Object.fromEntries(parameters))}`;
    const { status, body } = await service.request('GET', url, { as });
    expect(status, body.detail).toBe(200);
    return { titles: body.data.map(({ title }: { title: string }) => title), count: body.page.totalCount };
  };

  const variables = ({ search, sort, mood, notebookId, limit }: Ask) => ({
    search,
    first: limit,
    sort: sort && [sort.startsWith('-') ? 'TITLE_DESC' : 'TITLE_ASC'],
    filter: { ...(mood && { mood: [mood] }), ...(notebookId && { notebookId: [notebookId] }) },
  });

  const overGraphql = async (ask: Ask, as = ada): Promise<Found> => {
    const query = `query ($search: String, $first: Int, $sort: [EntrySort!], $filter: EntryFilter) {
      entries(search: $search, first: $first, sort: $sort, filter: $filter) { nodes { title } totalCount }
    }`;
    const { data, errors } = await service.graphql(query, { as, variables: variables(ask) });
    expect(errors).toBeUndefined();
    return {
      titles: data.entries.nodes.map(({ title }: Found & { title: string }) => title),
      count: data.entries.totalCount,
    };
  };

  const protocols = [
    ['REST', overRest],
    ['GraphQL', overGraphql],
  ] as const;

  describe.each(protocols)('over %s', (_, find) => {
    it.each<[string, readonly string[]]>([
      ['caramel', ['Caramel', 'Crème brûlée', 'Zebra crossing']],
      ['CARAMEL creme', ['Crème brûlée']],
      ['creme', ['Crème brûlée', 'A walk']],
      ['cr*', ['Crème brûlée', 'Zebra crossing', 'A walk', 'Caramel']],
      ['crossing caramel', ['Zebra crossing']],
      ['cream', []],
      ['caramel-free', ['Zebra crossing']],
      ['AND', ['Crème brûlée']],
      ['nothing OR caramel', []],
      ['"', []],
      ['*', []],
      ['🎉 !?', []],
      ["'; drop table entries; --", []],
      [`${'no such words '.repeat(14)}`, []],
      [Array.from({ length: 100 }, (_unused, i) => String.fromCharCode(0x4e00 + i)).join(' '), []],
    ])('finds by %j, all of whose words a row has', async (search, titles) => {
      expect(await find({ search })).toEqual({ titles, count: titles.length });
    });

    it('keeps to the filters and the order of the list', async () => {
      const sorted = { titles: ['Zebra crossing', 'Crème brûlée', 'Caramel'], count: 3 };
      expect(await find({ search: 'caramel', sort: '-title' })).toEqual(sorted);
      expect(await find({ search: 'caramel', sort: 'title', mood: 'BAD', limit: 1 })).toEqual({
        titles: ['Caramel'],
        count: 2,
      });
      expect(await find({ search: 'caramel', notebookId: notebook })).toEqual({
        titles: ['Crème brûlée', 'Zebra crossing'],
        count: 2,
      });
    });

    it('neither finds nor counts what the caller may not see', async () => {
      expect(await find({ search: 'bob caramel' })).toEqual({ titles: [], count: 0 });
      expect(await find({ search: 'caramel' }, bob)).toEqual({ titles: ["Bob's caramel"], count: 1 });
      expect((await find({ search: 'caramel' }, admin)).count).toBe(4);
    });
  });

  it('finds the same below a notebook, where its words are', async () => {
    const query = `query ($id: ID!, $search: String) { notebook(id: $id) {
      entries(search: $search, sort: [TITLE_ASC]) { nodes { title } totalCount }
      pages(search: $search) { nodes { text } }
    } }`;
    await create(`/v1/notebooks/${notebook}/pages`, { text: 'All about caramel' }, ada);
    await create(`/v1/notebooks/${notebook}/pages`, { text: 'All about toffee' }, ada);
    const { data } = await service.graphql(query, { as: ada, variables: { id: notebook, search: 'caramel*' } });
    expect(data.notebook).toEqual({
      entries: { nodes: [{ title: 'Crème brûlée' }, { title: 'Zebra crossing' }], totalCount: 2 },
      pages: { nodes: [{ text: 'All about caramel' }] },
    });
    const { body } = await service.request('GET', `/v1/notebooks/${notebook}/pages?search=ABOUT`, { as: ada });
    expect(body.data.map(({ text }: { text: string }) => text)).toEqual(['All about caramel', 'All about toffee']);
  });

  it('finds inflected forms in the language of the contract, and no others', async () => {
    const shelf = await create('/v1/notebooks', { name: 'Of whales' }, ada);
    for (const text of ['Two stories', 'A Story, told twice', 'storey', 'Whales stopping', 'He stops: stop!'])
      await create(`/v1/notebooks/${shelf}/pages`, { text }, ada);
    const found = async (search: string) => {
      const url = `/v1/notebooks/${shelf}/pages?search=${encodeURIComponent(search)}`;
      const { body } = await service.request('GET', url, { as: ada });
      return body.data.map(({ text }: { text: string }) => text);
    };
    for (const search of ['story', 'STORIES', 'Storied'])
      expect(await found(search)).toEqual(['Two stories', 'A Story, told twice']);
    expect(await found('stopped')).toEqual(['Whales stopping', 'He stops: stop!']);
    expect(await found('stopped whale')).toEqual(['Whales stopping']);
    expect(await found('stop*')).toEqual(['Whales stopping', 'He stops: stop!']);
    expect(await found('telling')).toEqual([]);
    const query = `query ($id: ID!) { notebook(id: $id) { pages(search: "story") { nodes { text } } } }`;
    const { data } = await service.graphql(query, { as: ada, variables: { id: shelf } });
    expect(data.notebook.pages.nodes).toEqual([{ text: 'Two stories' }, { text: 'A Story, told twice' }]);
  });

  it('is paged forth and back, by cursors that go with its words, however they are written', async () => {
    const page = async (search: string, cursor: string) => {
      const url = `/v1/entries?limit=1&search=${search}&cursor=${cursor}`;
      const { status, body } = await service.request('GET', url, { as: ada });
      return status === 200 ? { title: body.data[0]?.title, ...body.page } : { status, code: body.code };
    };
    const first = await service.request('GET', '/v1/entries?limit=1&search=caramel%20c*', { as: ada });
    expect(first.body.data[0].title).toBe('Caramel');
    const second = await page('C*,Caramel', first.body.page.nextCursor);
    expect(second.title).toBe('Crème brûlée');
    const third = await page('caramel%20c*', second.nextCursor);
    expect([third.title, third.nextCursor]).toEqual(['Zebra crossing', null]);
    expect((await page('caramel%20c*', third.previousCursor)).title).toBe('Crème brûlée');
    expect((await page('caramel%20c*', second.previousCursor)).title).toBe('Caramel');
    expect((await page('caramel%20c*', '~')).title).toBe('Zebra crossing');
    expect(await page('caramel%20c*&sort=title', second.nextCursor)).toEqual({ status: 400, code: 'INVALID_CURSOR' });
    expect(await page('caramel', second.nextCursor)).toEqual({ status: 400, code: 'INVALID_CURSOR' });
    const query =
      'query ($after: String) { entries(first: 1, search: "c* caramel", after: $after) { nodes { title } } }';
    const { data } = await service.graphql(query, { as: ada, variables: { after: second.nextCursor } });
    expect(data.entries.nodes).toEqual([{ title: 'Zebra crossing' }]);
  });

  it.each([1, 2, 3, 9])(
    'comes by the first properties that have all words, in pages of %i forth and back',
    async (size) => {
      const whole = ['Crème brûlée', 'Zebra crossing', 'A walk', 'Caramel'];
      const walk = async (direction: 'next' | 'previous', cursor: string) => {
        const pages: string[][] = [];
        for (let at: string | null = cursor; at !== null; ) {
          const url = `/v1/entries?search=cr*&limit=${size}${at && `&cursor=${at}`}`;
          const { body } = await service.request('GET', url, { as: ada });
          pages.push(body.data.map(({ title }: { title: string }) => title));
          at = body.page[`${direction}Cursor`];
        }
        return pages;
      };
      expect((await walk('next', '')).flat()).toEqual(whole);
      expect((await walk('previous', '~')).toReversed().flat()).toEqual(whole);
      const query = `query ($id: ID!, $size: Int) {
      entries(search: "cr*", last: $size) { edges { cursor node { title } } }
      notebook(id: $id) { entries(search: "cr*", first: $size) { edges { cursor node { title } } } }
    }`;
      const { data } = await service.graphql(query, { as: ada, variables: { id: notebook, size } });
      const titles = ({ edges }: { edges: { node: { title: string } }[] }) => edges.map(({ node }) => node.title);
      expect(titles(data.entries)).toEqual(whole.slice(-size));
      expect(titles(data.notebook.entries)).toEqual(['Crème brûlée', 'Zebra crossing'].slice(0, size));
    },
  );

  it('finds what has been changed as it is now', async () => {
    const id = await create('/v1/entries', { title: 'Wombat', mood: 'GOOD' }, ada);
    const change = (body: object) =>
      service.request('PATCH', `/v1/entries/${id}`, {
        as: ada,
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    await change({ body: 'a platypus' });
    expect((await overRest({ search: 'wombat platypus' })).count).toBe(1);
    await change({ title: 'Okapi', body: null });
    expect([await overRest({ search: 'wombat' }), await overRest({ search: 'platypus' })]).toEqual([
      { titles: [], count: 0 },
      { titles: [], count: 0 },
    ]);
    expect((await overGraphql({ search: 'okapi' })).count).toBe(1);
    await service.request('DELETE', `/v1/entries/${id}`, { as: ada });
    expect((await overRest({ search: 'okapi' })).count).toBe(0);
  });

  it.each(['', 'x'.repeat(201)])('is refused over both protocols for %j', async (search) => {
    const { status, body } = await service.request('GET', `/v1/entries?search=${search}`, { as: ada });
    expect([status, body.code, body.errors]).toEqual([
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ parameter: 'search' })],
    ]);
    const { errors } = await service.graphql('query ($search: String) { entries(search: $search) { nodes { id } } }', {
      as: ada,
      variables: { search },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ argument: 'search' }] });
  });

  it('takes null and what is left out for no search', async () => {
    const { data } = await service.graphql('{ a: entries(search: null) { totalCount } b: entries { totalCount } }', {
      as: ada,
    });
    expect([data.a.totalCount, data.b.totalCount]).toEqual([5, 5]);
  });
});
