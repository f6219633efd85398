import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type As, contractOf, type Reply, type Service, startCompiled } from '../../support/service.ts';

const personOf = (n: string, tenant = 'acme'): As => ({
  sub: `01941f29-7c00-7a10-8c57-00000000000${n}`,
  scope: 'teams:write',
  claims: { tenant },
});
const lead = personOf('a');
const stranger = personOf('b');
const foreigner = personOf('a', 'globex');
const NOBODY = '01941f29-7c00-7a10-8c57-0000000000ff';

const NESTED = `query ($project: ID!) {
  issues(first: 3, filter: { projectId: $project }, sort: [PRIORITY_ASC]) {
    nodes { title labels(first: 2, sort: [NAME_DESC]) {
      totalCount nodes { name issues(first: 3, sort: [PRIORITY_ASC], filter: { status: [OPEN] }) { totalCount nodes { title } } }
      pageInfo { hasNextPage endCursor }
    } }
  }
}`;
const PAGE = `query ($id: ID!, $after: String, $last: Int, $before: String, $filter: LabelFilter) {
  issue(id: $id) { labels(after: $after, last: $last, before: $before, sort: [NAME_DESC], filter: $filter) { nodes { name } } }
}`;

describe.each(databases)('lists through another resource on $name', (database) => {
  let service: Service;
  let world: Awaited<ReturnType<typeof makeWorld>>;
  beforeAll(async () => {
    service = await startCompiled(await contractOf('tracker'), database);
    world = await makeWorld();
  });
  afterAll(() => service.close());

  const post = async (url: string, body: object): Promise<Reply['body']> => {
    const reply = await service.request('POST', `/v1${url}`, { as: lead, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  };
  const get = (url: string, as: As | undefined = lead, headers = {}): Promise<Reply> =>
    service.request('GET', `/v1${url}`, { ...(as && { as }), headers });
  const names = ({ body }: Reply): string[] => body.data.map(({ name, title }: never) => name ?? title);
  const ask = async (text: string, variables: object, as = lead) => {
    const answer = await service.graphql(text, { as, variables });
    expect(answer.errors).toBeUndefined();
    return answer;
  };

  /** One private and one public project, each with issues `first` and `second`; `bare` is a label without issues. */
  async function makeWorld() {
    const team = await post('/teams', { name: 'Engines' });
    await post(`/teams/${team.id}/members`, { userId: lead.sub, role: 'OWNER' });
    const make = async (visibility: string) => {
      const project = await post('/projects', {
        teamId: team.id,
        key: visibility.slice(0, 3),
        name: visibility,
        visibility,
      });
      const issue = (title: string, priority: number) =>
        post('/issues', { projectId: project.id, title, status: 'OPEN', priority });
      const label = (name: string) => post('/labels', { projectId: project.id, name, colour: '#00ff00' });
      const [first, second] = [await issue('first', 1), await issue('second', 2)];
      const [a, b, c, bare] = [await label('a'), await label('b'), await label('c'), await label('bare')];
      const join = (of: Reply['body'], its: Reply['body']) =>
        post('/issue-labels', { issueId: of.id, labelId: its.id });
      for (const one of [a, b, c]) await join(first, one);
      const joined = await join(second, b);
      return { project, first, second, a, b, c, bare, joined, join };
    };
    return { secret: await make('PRIVATE'), open: await make('PUBLIC') };
  }

  it('lists what is joined, both ways, with what the list of it takes', async () => {
    const { first, second, b, bare } = world.secret;
    expect(names(await get(`/issues/${first.id}/labels?sort=-name`))).toEqual(['c', 'b', 'a']);
    expect(names(await get(`/issues/${first.id}/labels?name=b`))).toEqual(['b']);
    const filter = encodeURIComponent(JSON.stringify({ name: 'a' }));
    expect(names(await get(`/issues/${first.id}/labels?sort=name&filter=${filter}`))).toEqual(['a']);
    expect(names(await get(`/issues/${second.id}/labels`))).toEqual(['b']);
    expect(names(await get(`/labels/${b.id}/issues?sort=priority`))).toEqual(['first', 'second']);
    expect(names(await get(`/labels/${b.id}/issues?search=seco*`))).toEqual(['second']);
    expect((await get(`/labels/${bare.id}/issues?count=true`)).body).toMatchObject({
      data: [],
      page: { totalCount: 0 },
    });
    expect((await get(`/issues/${first.id}/labels?colour=x`)).status).toBe(400);
  });

  it('pages both ways, and cursors are those of both protocols, of one list alone', async () => {
    const { first, second } = world.secret;
    const url = `/issues/${first.id}/labels?sort=-name&limit=2&count=true`;
    const page = await get(url);
    expect(page.body.page).toMatchObject({ totalCount: 3, previousCursor: null });
    const cursor: string = page.body.page.nextCursor;
    const next = await get(`${url}&cursor=${cursor}`);
    expect([names(page), names(next)]).toEqual([['c', 'b'], ['a']]);
    expect(names(await get(`${url}&cursor=${next.body.page.previousCursor}`))).toEqual(['c', 'b']);
    expect((await get(`/issues/${second.id}/labels?sort=-name&cursor=${cursor}`)).body.code).toBe('INVALID_CURSOR');
    expect((await ask(PAGE, { id: first.id, after: cursor })).data).toEqual({
      issue: { labels: { nodes: [{ name: 'a' }] } },
    });
    expect((await ask(PAGE, { id: first.id, last: 2 })).data).toEqual({
      issue: { labels: { nodes: [{ name: 'b' }, { name: 'a' }] } },
    });
    expect((await ask(PAGE, { id: first.id, filter: { name: 'a' } })).data).toEqual({
      issue: { labels: { nodes: [{ name: 'a' }] } },
    });
  });

  it('answers the lists of many rows, below each other', async () => {
    const { data } = await ask(NESTED, { project: world.secret.project.id });
    const both = { totalCount: 2, nodes: [{ title: 'first' }, { title: 'second' }] };
    const one = { totalCount: 1, nodes: [{ title: 'first' }] };
    expect(data).toMatchObject({
      issues: {
        nodes: [
          {
            title: 'first',
            labels: {
              totalCount: 3,
              nodes: [
                { name: 'c', issues: one },
                { name: 'b', issues: both },
              ],
              pageInfo: { hasNextPage: true },
            },
          },
          {
            title: 'second',
            labels: { totalCount: 1, nodes: [{ name: 'b', issues: both }], pageInfo: { hasNextPage: false } },
          },
        ],
      },
    });
  });

  it('tells of a row above, of what joins and of what is joined only to who reads them', async () => {
    const { secret, open } = world;
    for (const url of [`/issues/${secret.first.id}/labels`, `/labels/${secret.b.id}/issues`])
      expect((await get(url, stranger)).body.code).toBe('NOT_FOUND');
    for (const as of [foreigner, undefined])
      expect((await service.request('GET', `/v1/issues/${open.first.id}/labels`, as ? { as } : {})).status).toBe(404);
    expect((await get(`/issues/${NOBODY}/labels`)).status).toBe(404);
    expect((await get('/issues/no-id/labels')).status).toBe(400);
    await open.join(open.second, secret.a);
    await open.join(secret.first, open.a);
    const seen = await get(`/issues/${open.second.id}/labels?count=true`, stranger);
    expect([names(seen), seen.body.page.totalCount]).toEqual([['b'], 1]);
    expect(names(await get(`/labels/${open.a.id}/issues`, stranger))).toEqual(['first']);
    const { data } = await ask(NESTED, { project: open.project.id }, stranger);
    expect(JSON.stringify(data)).not.toContain('"a","issues":{"totalCount":2');
    expect(names(await get(`/issues/${open.second.id}/labels?sort=name`))).toEqual(['a', 'b']);
    expect((await get(`/labels/${open.a.id}/issues?count=true`)).body.page.totalCount).toBe(2);
  });

  it('is never stale: not when something is joined, and not when it no longer is', async () => {
    const { second, bare, join } = world.secret;
    const url = `/issues/${second.id}/labels`;
    const before = await get(url);
    const headers = { 'if-none-match': String(before.headers['etag']) };
    expect((await get(url, lead, headers)).status).toBe(304);
    const { id } = await join(second, bare);
    const after = await get(`${url}?sort=name`, lead, headers);
    expect([after.status, names(after)]).toEqual([200, ['b', 'bare']]);
    expect((await ask(PAGE, { id: second.id })).data).toEqual({
      issue: { labels: { nodes: [{ name: 'bare' }, { name: 'b' }] } },
    });
    await ask('mutation ($id: ID!) { deleteIssueLabel(id: $id) }', { id });
    expect((await get(url, lead, headers)).status).toBe(304);
  });
});
