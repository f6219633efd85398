import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const ada = { sub: '01941f29-7c00-7a10-8c57-000000000001', scope: '' };

describe.each(databases)('cursors on $name', (database) => {
  let service: Service;
  let root: string;

  beforeAll(async () => {
    service = await startService('folders', database);
    root = await folder({ name: 'root' });
    for (const name of ['a', 'b', 'c', 'd']) await folder({ name, parentId: root });
  });
  afterAll(() => service.close());

  async function folder(body: object): Promise<string> {
    return (await service.request('POST', '/v1/folders', { as: ada, body })).body.id;
  }

  const nested = async (after?: string) => {
    const query =
      'query ($id: ID!, $after: String) { folder(id: $id) { folders(first: 2, after: $after, sort: [NAME_DESC]) { nodes { name } pageInfo { endCursor } } } }';
    const { data, errors } = await service.graphql(query, { as: ada, variables: { id: root, after } });
    expect(errors).toBeUndefined();
    const { nodes, pageInfo } = data.folder.folders;
    return { names: nodes.map(({ name }: { name: string }) => name), cursor: pageInfo.endCursor };
  };

  const listed = async (cursor = '', parents = root) => {
    const page = cursor === '' ? '' : `&cursor=${cursor}`;
    const url = `/v1/folders?parentId=${parents}&limit=2&sort=-name${page}`;
    const { status, body } = await service.request('GET', url, { as: ada });
    expect(status, body.detail).toBe(200);
    return { names: body.data.map(({ name }: { name: string }) => name), cursor: body.page.nextCursor };
  };

  it('of a connection below a resource are those of the list that REST filters', async () => {
    const [below, filtered] = [await nested(), await listed()];
    expect(below).toEqual(filtered);
    expect(below.names).toEqual(['d', 'c']);
    expect((await nested(filtered.cursor)).names).toEqual(['b', 'a']);
    expect((await listed(below.cursor)).names).toEqual(['b', 'a']);
  });

  it('of a filter by several values do not depend on their order', async () => {
    const other = await folder({ name: 'another root' });
    const { cursor } = await listed('', `${root},${other}`);
    expect((await listed(cursor, `${other},${root}`)).names).toEqual(['b', 'a']);
  });
});
