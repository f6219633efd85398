import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const ada = { sub: '01941f29-7c00-7a10-8c57-000000000001', scope: '' };
const NAMES = ['a', 'b', 'c', 'd', 'e'];

interface Page {
  readonly names: readonly string[];
  readonly next: string | null;
  readonly previous: string | null;
}

describe.each(databases)('pages from the end on $name', (database) => {
  let service: Service;
  let root: string;

  beforeAll(async () => {
    service = await startService('folders', database);
    root = await folder({ name: 'root' });
    for (const name of NAMES) await folder({ name, parentId: root });
  });
  afterAll(() => service.close());

  async function folder(body: object): Promise<string> {
    return (await service.request('POST', '/v1/folders', { as: ada, body })).body.id;
  }

  const overRest = async (query: string): Promise<Page> => {
    const { status, body } = await service.request('GET', `/v1/folders?parentId=${root}&${query}`, { as: ada });
    expect(status, body.detail).toBe(200);
    const { nextCursor: next, previousCursor: previous } = body.page;
    return { names: body.data.map(({ name }: { name: string }) => name), next, previous };
  };

  /** The list at the root, and the connection below a folder, which answer the same. */
  const overGraphql = async (args: string): Promise<Page> => {
    const fields = 'nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
    const query = `query ($id: ID!) {
      folders(filter: { parentId: [$id] }, ${args}) { ${fields} }
      folder(id: $id) { folders(${args}) { ${fields} } }
    }`;
    const { data, errors } = await service.graphql(query, { as: ada, variables: { id: root } });
    expect(errors).toBeUndefined();
    expect(data.folder.folders).toEqual(data.folders);
    const { nodes, pageInfo } = data.folders;
    return {
      names: nodes.map(({ name }: { name: string }) => name),
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      previous: pageInfo.hasPreviousPage ? `~${pageInfo.startCursor}` : null,
    };
  };

  it('lead from the last page to the first, and forth again, over REST', async () => {
    const last = await overRest('limit=2&sort=name&cursor=~');
    expect(last).toMatchObject({ names: ['d', 'e'], next: null });
    const middle = await overRest(`limit=2&sort=name&cursor=${last.previous}`);
    expect(middle.names).toEqual(['b', 'c']);
    const first = await overRest(`limit=2&sort=name&cursor=${middle.previous}`);
    expect(first).toMatchObject({ names: ['a'], previous: null });
    expect((await overRest(`limit=2&sort=name&cursor=${first.next}`)).names).toEqual(['b', 'c']);
    expect((await overRest(`limit=2&sort=name&cursor=${middle.next}`)).names).toEqual(['d', 'e']);
  });

  it.each([
    ['limit=2&sort=name', 'first: 2, sort: [NAME_ASC]'],
    ['limit=2&sort=name&cursor=~', 'last: 2, sort: [NAME_ASC]'],
    ['limit=3&sort=-name&cursor=~', 'last: 3, sort: [NAME_DESC]'],
    ['sort=name&cursor=~', 'before: "~", sort: [NAME_ASC]'],
  ])('are the same over both protocols: %s', async (query, args) => {
    const [rest, graphql] = [await overRest(query), await overGraphql(args)];
    expect(graphql).toEqual(rest);
    const cursor = rest.previous ?? `~${rest.next ?? ''}`;
    const limit = 'limit=1&sort=name';
    if (query.includes('sort=name'))
      expect(await overGraphql(`last: 1, before: "${cursor.slice(1)}", sort: [NAME_ASC]`)).toEqual(
        await overRest(`${limit}&cursor=${cursor}`),
      );
  });

  it('take a variable without a value for an argument that is not there', async () => {
    const query = `query ($id: ID!, $first: Int, $last: Int) {
      folders(filter: { parentId: [$id] }, first: $first, last: $last, sort: [NAME_ASC]) { nodes { name } }
    }`;
    const ask = (variables: object) => service.graphql(query, { as: ada, variables: { id: root, ...variables } });
    for (const given of [{ last: 2 }, { last: 2, first: null }]) {
      const { data, errors } = await ask(given);
      expect(errors).toBeUndefined();
      expect(data.folders.nodes).toEqual([{ name: 'd' }, { name: 'e' }]);
    }
    expect((await ask({ last: 2, first: 2 })).errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
  });

  it('begin again when all rows before them are gone', async () => {
    const other = await folder({ name: 'other' });
    const ids = [];
    for (const name of ['x', 'y', 'z']) ids.push(await folder({ name, parentId: other }));
    const url = (cursor: string) => `/v1/folders?parentId=${other}&sort=name&limit=1&cursor=${cursor}`;
    const page = async (cursor: string) => (await service.request('GET', url(cursor), { as: ada })).body;
    const last = await page('~');
    for (const id of ids.slice(0, 2)) await service.request('DELETE', `/v1/folders/${id}`, { as: ada });
    const empty = await page(last.page.previousCursor);
    expect(empty).toMatchObject({ data: [], page: { previousCursor: null } });
    expect(await page(empty.page.nextCursor)).toMatchObject({ data: [{ name: 'z' }], page: { previousCursor: null } });
  });

  it.each(['~AA', '~~', 'AA'])('refuse the cursor %s', async (cursor) => {
    const reply = await service.request('GET', `/v1/folders?cursor=${cursor}`, { as: ada });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR', errors: [{ parameter: 'cursor' }] } });
  });

  it.each([
    ['last: 51', 'VALIDATION_FAILED', ['last']],
    ['last: 1, before: "AA"', 'INVALID_CURSOR', ['before']],
    ['first: 1, last: 1', 'VALIDATION_FAILED', ['first']],
    ['first: 1, after: "AA", before: "AA"', 'VALIDATION_FAILED', ['first', 'after']],
  ])('are refused for %s, by its arguments', async (args, code, named) => {
    const { errors } = await service.graphql(`{ folders(${args}) { nodes { name } } }`, { as: ada });
    expect(errors?.[0]?.extensions).toMatchObject({ code, errors: named.map((argument) => ({ argument })) });
  });
});
