import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type As, contractOf, type Reply, type Service, startCompiled } from '../../support/service.ts';

const SUBJECT = '01941f29-7c00-7a10-8c57-00000000000a';
const lead: As = { sub: SUBJECT, scope: 'teams:write', claims: { tenant: 'acme' } };
const NOBODY = '01941f29-7c00-7a10-8c57-0000000000ff';

describe.each(databases)('the tracker on $name', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await contractOf('tracker'), database);
  });
  afterAll(() => service.close());

  const post = async (url: string, body: object): Promise<Reply['body']> => {
    const reply = await service.request('POST', `/v1${url}`, { as: lead, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  };
  const newTeam = async (): Promise<string> => {
    const { id } = await post('/teams', { name: 'Engines' });
    await post(`/teams/${id}/members`, { userId: SUBJECT, role: 'OWNER' });
    return id;
  };
  const mutate = async (text: string, variables: object) =>
    (await service.graphql(`mutation (${text}`, { as: lead, variables })).errors?.[0]?.extensions;

  it('says that a reference is immutable, whatever it is to be changed to', async () => {
    const input = { teamId: await newTeam(), key: 'ENG', name: 'Engine', visibility: 'PRIVATE' };
    const { id } = await post('/projects', input);
    for (const teamId of [NOBODY, await newTeam()]) {
      const changed = { ...input, teamId };
      const reply = await service.request('PUT', `/v1/projects/${id}`, { as: lead, body: changed });
      expect(reply).toMatchObject({
        status: 422,
        body: { code: 'IMMUTABLE_PROPERTY', errors: [{ pointer: '/teamId' }] },
      });
      const text = '$id: ID!, $input: ProjectInput!) { replaceProject(id: $id, input: $input) { id } }';
      expect(await mutate(text, { id, input: changed })).toMatchObject({
        code: 'IMMUTABLE_PROPERTY',
        errors: [{ argument: 'input.teamId' }],
      });
    }
  });

  it('lists what is wrong with the path and with the input, at once', async () => {
    const url = '/v1/teams/no-id';
    const reply = await service.request('PATCH', url, {
      as: lead,
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(reply.body.errors).toMatchObject([{ parameter: 'teamId' }, { pointer: '' }]);
    const text = '$id: ID!, $input: TeamPatch!) { updateTeam(id: $id, input: $input) { id } }';
    expect(await mutate(text, { id: 'no-id', input: {} })).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ argument: 'id' }, { argument: 'input' }],
    });
  });
});
