import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Reply, type Service, startCompiled } from '../../support/service.ts';
import { called, callOf, codeOfCall } from '../../support/tools.ts';

const personOf = (n: string, tenant = 'acme', scope = 'teams:write'): As => ({
  sub: `01941f29-7c00-7a10-8c57-00000000000${n}`,
  scope,
  claims: { tenant },
});
const lead = personOf('a');
const stranger = personOf('b');
const foreigner = personOf('a', 'globex');
const operator = personOf('c', 'globex', 'tracker:operate');

const OFFERED = ['linkIssueLabel', 'unlinkIssueLabel'].map(
  (id) => ['openapi.yaml', `operationId: ${id}\n`, `operationId: ${id}\n      x-mcp: true\n`] as const,
);
const INFO = ['openapi.yaml', /^info:\n/gm, 'info:\n  x-mcp: { offer: [read] }\n'] as const;

describe.each(databases)('links of a tracker on $name', (database) => {
  let service: Service;
  let world: Awaited<ReturnType<typeof makeWorld>>;
  beforeAll(async () => {
    service = await startCompiled(await editedContract('tracker', [INFO, ...OFFERED]), database);
    world = await makeWorld();
  });
  afterAll(() => service.close());

  const post = async (url: string, body: object): Promise<Reply['body']> => {
    const reply = await service.request('POST', `/v1${url}`, { as: lead, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  };
  async function makeWorld() {
    const team = await post('/teams', { name: 'Engines' });
    await post(`/teams/${team.id}/members`, { userId: lead.sub, role: 'OWNER' });
    const make = async (visibility: string) => {
      const key = visibility.slice(0, 3);
      const project = await post('/projects', { teamId: team.id, key, name: visibility, visibility });
      const issue = await post('/issues', { projectId: project.id, title: 'One', status: 'OPEN', priority: 1 });
      const label = await post('/labels', { projectId: project.id, name: 'a', colour: '#00ff00' });
      return { issueId: issue.id as string, labelId: label.id as string };
    };
    return { secret: await make('PRIVATE'), open: await make('PUBLIC') };
  }
  type Pair = { issueId: string; labelId: string };
  type Verb = 'link' | 'unlink';
  const ways: Readonly<Record<string, (verb: Verb, pair: Pair, as: As) => Promise<string>>> = {
    REST: async (verb, { issueId, labelId }, as) => {
      const method = verb === 'link' ? 'PUT' : 'DELETE';
      const { status, body } = await service.request(method, `/v1/issues/${issueId}/labels/${labelId}`, { as });
      return status === 204 ? 'OK' : body.code;
    },
    GraphQL: async (verb, pair, as) => {
      const field = `${verb}IssueLabel(issueId: $issueId, labelId: $labelId)`;
      const text = `mutation ($issueId: ID!, $labelId: ID!) { done: ${field} }`;
      const { data, errors } = await service.graphql(text, { as, variables: pair });
      return data?.done === true ? 'OK' : errors?.[0]?.extensions.code;
    },
    MCP: async (verb, pair, as) => {
      const reply = await service.request('POST', '/mcp', { as, body: callOf(`${verb}IssueLabel`, pair) });
      if (codeOfCall(reply) === 'OK') expect(called(reply).value).toBeUndefined();
      return codeOfCall(reply);
    },
  };
  const labels = async (issueId: string) => {
    const { body } = await service.request('GET', `/v1/issues/${issueId}/labels`, { as: lead });
    return body.data.length;
  };

  it.each(Object.keys(ways))('follow the rules of the joining row over %s, and reveal no row', async (name) => {
    const ask = ways[name]!;
    const { secret, open } = world;
    const missing = { ...open, labelId: '01941f29-7c00-7a10-8c57-0000000000ff' };
    for (const as of [stranger, foreigner])
      for (const verb of ['link', 'unlink'] as const) {
        expect(await ask(verb, secret, as)).toBe('NOT_FOUND');
        expect(await ask(verb, { ...open, labelId: secret.labelId }, as)).toBe('NOT_FOUND');
        expect(await ask(verb, { ...secret, labelId: open.labelId }, as)).toBe('NOT_FOUND');
        expect(await ask(verb, missing, as)).toBe('NOT_FOUND');
      }
    expect(await ask('link', open, stranger)).toBe('FORBIDDEN');
    expect(await ask('link', open, lead)).toBe('OK');
    expect(await ask('link', open, lead)).toBe('OK');
    expect(await labels(open.issueId)).toBe(1);
    expect(await ask('unlink', open, stranger)).toBe('FORBIDDEN');
    expect(await ask('unlink', open, lead)).toBe('OK');
    expect(await ask('unlink', open, lead)).toBe('OK');
    expect(await labels(open.issueId)).toBe(0);
  });

  it('of another tenant than that of a caller who sees all are not made', async () => {
    for (const ask of Object.values(ways)) {
      expect(await ask('link', world.secret, operator)).toBe('NOT_FOUND');
      expect(await ask('unlink', world.secret, operator)).toBe('OK');
    }
    expect(await labels(world.secret.issueId)).toBe(0);
  });
});
