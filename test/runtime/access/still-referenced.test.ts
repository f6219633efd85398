import { afterEach, describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/descriptor/layout.ts';
import { databases } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { callerOf, north, operator, south } from '../../support/workshop.ts';

const OPENAPI = 'openapi.yaml';

/** Without tenants and rules of `x-access`. */
const DIARY: readonly Edit[] = [
  [
    OPENAPI,
    '  /notebooks/{notebookId}/pages:\n',
    `    delete:
      operationId: deleteNotebook
      responses:
        '204': { description: It is gone. }
  /notebooks/{notebookId}/pages:\n`,
  ],
  [OPENAPI, 'x-references: Notebook, x-on-delete: cascade', 'x-references: Notebook, x-on-delete: restrict'],
  ['schema.graphql', /type Mutation \{\n/g, '$&  deleteNotebook(id: ID!, ifVersion: Int): ID! @auth(scopes: [])\n'],
];

describe.each(databases)('a refusal to delete what rows of an owner refer to, on $name,', (database) => {
  it('names them to their owner alone', async () => {
    const service = await startCompiled(await editedContract('diary', DIARY), database);
    const [ann, bob] = ['a1', 'b2'].map((end): As => ({ sub: `00000000-0000-7000-8000-0000000000${end}`, scope: '' }));
    const { id } = (await service.request('POST', '/v1/notebooks', { as: ann!, body: { name: 'blue' } })).body;
    const entry = { notebookId: id, title: 'Monday', mood: 'GOOD' };
    expect((await service.request('POST', '/v1/entries', { as: ann!, body: entry })).status).toBe(201);
    for (const [as, what] of [
      [ann!, 'At least one Entry refers'],
      [bob!, 'Other resources refer'],
    ] as const)
      expect(await refusal(service, 'Notebook', `/notebooks/${id}`, as)).toBe(`${what} to this Notebook.`);
    await service.close();
  });

  it('names none to who has no token', async () => {
    const field = 'deleteNotebook(id: ID!, ifVersion: Int): ID!';
    const contract = await editedContract('diary', [
      ...DIARY,
      [OPENAPI, /operationId: deleteNotebook\n/g, '$&      security: []\n'],
      ['schema.graphql', `${field} @auth(scopes: [])`, field],
    ]);
    const service = await startCompiled(contract, database);
    const ann: As = { sub: '00000000-0000-7000-8000-0000000000a1', scope: '' };
    const { id } = (await service.request('POST', '/v1/notebooks', { as: ann, body: { name: 'blue' } })).body;
    await service.request('POST', '/v1/entries', { as: ann, body: { notebookId: id, title: 'Monday', mood: 'GOOD' } });
    expect(await refusal(service, 'Notebook', `/notebooks/${id}`)).toBe('Other resources refer to this Notebook.');
    await service.close();
  });
});

/** What both protocols say to who deletes a row. */
async function refusal(service: Service, type: string, url: string, as?: As): Promise<string> {
  const options = as ? { as } : {};
  const { status, body } = await service.request('DELETE', `/v1${url}`, options);
  expect([status, body.code]).toEqual([409, 'STILL_REFERENCED']);
  const text = `mutation ($id: ID!) { delete${type}(id: $id) }`;
  const { errors } = await service.graphql(text, { ...options, variables: { id: url.split('/').at(-1)! } });
  expect([errors![0]!.extensions.code, errors![0]!.message]).toEqual(['STILL_REFERENCED', body.detail]);
  return body.detail;
}

/** Callers choose the ids of courses, which keys that begin with the tenant do not allow. */
const plain = walledDatabases.filter(({ layout = PLAIN }) => layout === PLAIN);

describe.each(plain)('a refusal to delete what others refer to, on $name,', (database) => {
  let service: Service;
  afterEach(() => service.close());

  const start = async (fixture: string, edits: readonly Edit[]): Promise<void> => {
    service = await startCompiled(await editedContract(fixture, edits), database);
  };
  const made = async (url: string, as: As, body: object) => {
    const reply = await service.request('POST', `/v1${url}`, { as, body });
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
    return reply.body;
  };
  const refused = (type: string, url: string, as: As) => refusal(service, type, url, as);

  it('names no rows that have another owner', async () => {
    await start('conservatory', [[OPENAPI, 'x-on-delete: set-null', 'x-on-delete: restrict']]);
    const of = (sub: string, scope = ''): As => ({
      ...{ sub, scope: `school:read school:write ${scope}`, claims: { school: 'upper' } },
    });
    const [clara, anna] = [of('clara'), of('anna')];
    const teacher = await made('/teachers', clara, { userId: 'clara', name: 'Clara', email: 'clara@example.com' });
    await made('/courses', clara, { id: 'etudes', title: 'Études', teacherId: teacher.id });
    const unnamed = 'Other resources refer to this Course.';
    await made('/practice-logs', of('anna', 'school:admin'), { minutes: 5, body: 'scales', courseId: 'etudes' });
    expect(await refused('Course', '/courses/etudes', clara)).toBe(unnamed);
    const named = 'At least one PracticeLog refers to this Course.';
    expect(await refused('Course', '/courses/etudes', of('anna', 'school:admin'))).toBe(named);
    expect(await refused('Teacher', `/teachers/${teacher.id}`, clara)).toBe(
      'At least one Course refers to this Teacher.',
    );
    // A draft is hidden from others than its teacher.
    expect(await refused('Teacher', `/teachers/${teacher.id}`, anna)).toBe('Other resources refer to this Teacher.');
  });

  it('names no resources that the caller may not read at all', async () => {
    await start('conservatory', []);
    const clara: As = { sub: 'clara', scope: 'school:read school:write', claims: { school: 'upper' } };
    const { id } = await made('/teachers', clara, { userId: 'clara', name: 'Clara', email: 'clara@example.com' });
    await made('/courses', clara, { id: 'etudes', title: 'Études', teacherId: id });
    const writer = { ...clara, scope: 'school:write' };
    expect(await refused('Teacher', `/teachers/${id}`, clara)).toBe('At least one Course refers to this Teacher.');
    expect(await refused('Teacher', `/teachers/${id}`, writer)).toBe('Other resources refer to this Teacher.');
  });

  it('names no rows of other tenants, nor what they refuse', async () => {
    const standards = (onDelete: string): Edit => [
      OPENAPI,
      /(x-inverse: machines, x-on-delete: )set-null/g,
      `$1${onDelete}`,
    ];
    await start('workshop', [standards('restrict')]);
    const shared = await made('/standards', north, { name: 'ISO' });
    await callerOf(service).machine(south, 'S1', { standardId: shared.id });
    const url = `/standards/${shared.id}`;
    expect(await refused('Standard', url, north)).toBe('Other resources refer to this Standard.');
    for (const as of [south, operator])
      expect(await refused('Standard', url, as)).toBe('At least one Machine refers to this Standard.');
    await service.close();

    await start('workshop', [
      standards('cascade'),
      [OPENAPI, /(x-inverse: standbys, x-on-delete: )set-null/g, '$1restrict'],
    ]);
    const { machine } = callerOf(service);
    const { id } = await made('/standards', north, { name: 'ISO' });
    const [held, other] = [await machine(south, 'S1', { standardId: id }), await machine(south, 'S2')];
    await made(`/machines/${other.id}/jobs`, south, { title: 'turn', standbyId: held.id });
    expect(await refused('Standard', `/standards/${id}`, north)).toBe('Other resources refer to this Standard.');
    for (const as of [south, operator])
      expect(await refused('Standard', `/standards/${id}`, as)).toBe('At least one Job refers to this Machine.');
    expect((await service.request('GET', `/v1/machines/${held.id}`, { as: south })).body.version).toBe(1);
  });
});
