import { afterEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { member, otherMember } from '../../support/library.ts';
import { admin, editor, fill, PEOPLE, reader, startClinic } from '../../support/ruled-clinic.ts';
import { type As, type Service, startService } from '../../support/service.ts';

const path = `/v1/patients/${PEOPLE.known.id}`;
const RENAME = 'mutation ($id: ID!) { updatePatient(id: $id, input: { name: "x" }) { name } }';

describe.each(databases)('a refusal, on $name,', (database) => {
  let service: Service;
  afterEach(() => service.close());

  const overRest = async (as: As): Promise<string> =>
    (await service.request('PATCH', path, { as, body: { name: 'x' } })).body.detail;
  const overGraphql = async (as: As): Promise<string> => {
    const { errors } = await service.graphql(RENAME, { as, variables: { id: PEOPLE.known.id } });
    return errors![0]!.message;
  };

  it('names its rule and what the caller lacks in development, equally over both protocols', async () => {
    service = await startClinic(database, {}, { namesRules: true });
    await fill(service);
    const rule =
      "You may not change this Patient. Each Patient can be changed where its `ward` is one of `NORTH`, `SOUTH` and for some member of its clinic, its `userId` is the caller's `sub` and that member's `role` is `EDITOR`.";
    expect(await overRest(editor)).toBe(rule);
    expect(await overGraphql(editor)).toBe(rule);
    const deletion = await service.request('DELETE', path, { as: reader });
    expect(deletion).toMatchObject({
      status: 403,
      body: {
        detail:
          'You may not delete this Patient. Each Patient can be deleted by callers with the scope `clinic:delete` where its `published` is `false`. The caller lacks the scope `clinic:delete`.',
      },
    });
  });

  it('stays a 404 for what the caller does not read', async () => {
    service = await startClinic(database, {}, { namesRules: true });
    await fill(service);
    const hidden = await service.request('DELETE', `/v1/patients/${PEOPLE.secret.id}`, { as: reader });
    expect(hidden).toMatchObject({ status: 404, body: { detail: 'No Patient has this id.' } });
  });

  it('tells nothing of rules without that', async () => {
    service = await startClinic(database);
    await fill(service);
    expect(await overRest(admin)).toBe('You may not change this Patient.');
    expect(await overGraphql(admin)).toBe('You may not change this Patient.');
  });
});

describe.each(databases)('a refusal of somebody else than the owner, on $name,', (database) => {
  it('names the rule', async () => {
    await using stack = new AsyncDisposableStack();
    const service = await startService('library', database, {}, { namesRules: true });
    stack.defer(() => service.close());
    const as = { sub: member.sub, scope: 'notes:write' };
    const note = await service.request('POST', '/v1/notes', { as, body: { text: 'Hello' } });
    const other = { ...as, sub: otherMember.sub };
    const { body } = await service.request('PATCH', `/v1/notes/${note.body.id}`, { as: other, body: { text: 'x' } });
    expect(body.detail).toBe(
      "This Note belongs to another caller. Each Note can be changed where its `writerId` is the caller's `sub`, or by callers with the scope `library:write`.",
    );
  });
});
