import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { librarian, WRITE } from '../../support/library.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const editor = { sub: '00000000-0000-7000-8000-0000000000EE', scope: WRITE };
const robot = { sub: 'robot', scope: WRITE };

const REQUIRED = 'required: [id, version, createdAt, updatedAt, name, born]';
/** Authors say who has made them, and who has changed them last. */
const contract = await editedContract('library', [
  [
    'openapi.yaml',
    `${REQUIRED}\n      properties:`,
    `${REQUIRED.replace(']', ', createdBy, updatedBy]')}\n      properties:\n` +
      "        createdBy: { type: string, maxLength: 100 }\n        updatedBy: { type: [string, 'null'], format: uuid }",
  ],
  ['library.graphql', /^type Author \{/gm, 'type Author {\n  createdBy: String!\n  updatedBy: ID'],
]);

describe.each(databases)('who has made a resource, and changed it last, on $name', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(contract, database);
  });
  afterAll(() => service.close());

  const create = async (as: object) =>
    (await service.request('POST', '/v1/authors', { as, body: { name: 'Ada' } })).body;

  it('is the caller, over both protocols', async () => {
    const author = await create(librarian);
    expect(author).toMatchObject({ createdBy: librarian.sub, updatedBy: librarian.sub });
    const made = 'mutation { createAuthor(input: { name: "Ada" }) { createdBy updatedBy } }';
    expect((await service.graphql(made, { as: librarian })).data).toEqual({
      createAuthor: { createdBy: librarian.sub, updatedBy: librarian.sub },
    });
  });

  it.each(['PATCH', 'PUT'])('is another after a %s that changes something', async (method) => {
    const { id } = await create(librarian);
    const send = async (as: object, name: string) =>
      (await service.request(method, `/v1/authors/${id}`, { as, body: { name } })).body;
    expect(await send(editor, 'Ada')).toMatchObject({ version: 1, updatedBy: librarian.sub });
    expect(await send(editor, 'Eva')).toMatchObject({
      version: 2,
      createdBy: librarian.sub,
      updatedBy: editor.sub.toLowerCase(),
    });
  });

  it('is nobody whose subject the property may not have: 403, and nothing is kept', async () => {
    const stranger = { sub: 'x'.repeat(101), scope: WRITE };
    const before = (await service.request('GET', '/v1/authors?count=true')).body.page.totalCount;
    const reply = await service.request('POST', '/v1/authors', { as: stranger, body: { name: 'Ada' } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(reply.body.detail).toContain('`createdBy`');
    const made = 'mutation { createAuthor(input: { name: "Ada" }) { id } }';
    expect((await service.graphql(made, { as: stranger })).errors![0]!.extensions.code).toBe('FORBIDDEN');
    expect((await service.request('GET', '/v1/authors?count=true')).body.page.totalCount).toBe(before);
    expect(await create({ ...stranger, sub: 'x'.repeat(100) })).toMatchObject({ createdBy: 'x'.repeat(100) });
  });

  it('is nobody where the subject is no UUID and the property takes nothing else', async () => {
    expect(await create(robot)).toMatchObject({ createdBy: 'robot', updatedBy: null });
    const { id } = await create(librarian);
    const update = `mutation { updateAuthor(id: "${id}", input: { name: "Eva" }) { createdBy updatedBy } }`;
    expect((await service.graphql(update, { as: robot })).data).toEqual({
      updateAuthor: { createdBy: librarian.sub, updatedBy: null },
    });
  });

  it('cannot be sent', async () => {
    const body = { name: 'Ada', createdBy: editor.sub };
    expect(await service.request('POST', '/v1/authors', { as: librarian, body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/createdBy' }] },
    });
  });
});
