import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import {
  type Json,
  librarian,
  loansAdmin,
  member,
  newBook,
  newLoan,
  nobody,
  otherMember,
} from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('owners on $name', (database) => {
  let service: Service;
  let loan: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    loan = await newLoan(service, member);
    await newLoan(service, otherMember);
  });
  afterAll(() => service.close());

  const own = { bookId: '', dueOn: '2026-03-01' };

  it('makes the caller the owner, unless a scope lets it name another', async () => {
    const { id: bookId } = await newBook(service);
    const body = { ...own, bookId };
    const reply = await service.request('POST', '/v1/loans', { as: member, body });
    expect(reply).toMatchObject({ status: 201, body: { memberId: member.sub } });
    const named = { ...body, memberId: member.sub.toUpperCase() };
    expect(await service.request('POST', '/v1/loans', { as: member, body: named })).toMatchObject({
      status: 201,
      body: { memberId: member.sub },
    });
    const given = { ...body, memberId: otherMember.sub };
    const made = await service.request('POST', '/v1/loans', { as: loansAdmin, body: given });
    expect(made).toMatchObject({ status: 201, body: { memberId: otherMember.sub } });
  });

  it.each(['POST', 'PUT'])('refuses a %s that names another owner, and changes nothing', async (method) => {
    const before = await service.request('GET', '/v1/loans?count=true', { as: loansAdmin });
    const body = { ...own, bookId: loan.bookId, memberId: otherMember.sub };
    const url = method === 'POST' ? '/v1/loans' : `/v1/loans/${loan.id}`;
    const reply = await service.request(method, url, { as: member, body });
    expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', errors: [{ pointer: '/memberId' }] } });
    expect((await service.request('GET', '/v1/loans?count=true', { as: loansAdmin })).text).toBe(before.text);
  });

  it.each([
    ['createLoan', '$input: LoanInput!', 'input: $input'],
    ['replaceLoan', '$id: ID!, $input: LoanInput!', 'id: $id, input: $input'],
  ])('refuses a %s that names another owner, and changes nothing', async (field, variables, args) => {
    const before = await service.request('GET', '/v1/loans?count=true', { as: loansAdmin });
    const input = { ...own, bookId: loan.bookId, memberId: otherMember.sub };
    const { errors } = await service.graphql(`mutation (${variables}) { ${field}(${args}) { id } }`, {
      as: member,
      variables: { id: loan.id, input },
    });
    const { code, errors: faults } = errors![0]!.extensions;
    expect([code, faults]).toMatchObject(['FORBIDDEN', [{ argument: 'input.memberId' }]]);
    expect((await service.request('GET', '/v1/loans?count=true', { as: loansAdmin })).text).toBe(before.text);
  });

  it('knows a caller by its UUID, in whatever case the token spells it', async () => {
    const as = { ...member, sub: member.sub.toUpperCase() };
    const { id } = await newLoan(service, member);
    const url = `/v1/loans/${id}`;
    expect(await service.request('GET', url, { as })).toMatchObject({ status: 200, body: { memberId: member.sub } });
    const [mine, same] = await Promise.all(
      [member, as].map((caller) => service.request('GET', '/v1/loans?count=true', { as: caller })),
    );
    expect(same!.text).toBe(mine!.text);
    expect(same!.body.data).not.toEqual([]);
    expect(await service.request('PATCH', url, { as, body: { dueOn: '2026-03-02' } })).toMatchObject({ status: 200 });
    const { data } = await service.graphql(
      `{ loan(id: "${id}") { memberId extensions { totalCount } } loans { totalCount } }`,
      { as },
    );
    expect(data).toEqual({
      loan: { memberId: member.sub, extensions: { totalCount: 0 } },
      loans: { totalCount: same!.body.page.totalCount },
    });
  });

  it('lists and counts what is the caller’s', async () => {
    const mine = await service.request('GET', '/v1/loans?count=true', { as: member });
    expect(new Set(mine.body.data.map((one: Json) => one.memberId))).toEqual(new Set([member.sub]));
    expect(mine.body.page.totalCount).toBe(mine.body.data.length);
    const all = await service.request('GET', '/v1/loans?count=true', { as: loansAdmin });
    expect(all.body.page.totalCount).toBeGreaterThan(mine.body.page.totalCount);
    const none = await service.request('GET', '/v1/loans', { as: { sub: nobody, scope: '' } });
    expect(none.body.data).toEqual([]);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('hides another’s row from %s as if it did not exist', async (method) => {
    const body = method === 'PUT' ? { ...own, bookId: loan.bookId } : {};
    const options = { as: otherMember, ...(['PUT', 'PATCH'].includes(method) && { body }) };
    const hidden = await service.request(method, `/v1/loans/${loan.id}`, options);
    const absent = await service.request(method, `/v1/loans/${nobody}`, options);
    expect(hidden).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect({ ...hidden.body, instance: '', requestId: '' }).toEqual({ ...absent.body, instance: '', requestId: '' });
  });

  it('hides another’s row from conditional requests, too', async () => {
    const read = await service.request('GET', `/v1/loans/${loan.id}`, { as: member });
    const headers = { 'if-none-match': String(read.headers['etag']) };
    expect(await service.request('GET', `/v1/loans/${loan.id}`, { as: otherMember, headers })).toMatchObject({
      status: 404,
    });
    expect(await service.request('GET', `/v1/loans/${loan.id}`, { as: member, headers })).toMatchObject({
      status: 304,
    });
  });

  it('lets a caller with the scope see and change every row', async () => {
    const reply = await service.request('PATCH', `/v1/loans/${loan.id}`, {
      as: loansAdmin,
      body: { dueOn: '2026-04-01' },
    });
    expect(reply).toMatchObject({ status: 200, body: { memberId: member.sub, dueOn: '2026-04-01' } });
  });

  it('does not let an owner give its row away', async () => {
    const body = { ...own, bookId: loan.bookId, memberId: otherMember.sub };
    const reply = await service.request('PUT', `/v1/loans/${loan.id}`, { as: member, body });
    expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', errors: [{ pointer: '/memberId' }] } });
  });

  it('hides the children of a hidden parent', async () => {
    const url = `/v1/loans/${loan.id}/extensions`;
    expect(await service.request('POST', url, { as: member, body: { days: 3 } })).toMatchObject({ status: 201 });
    expect(await service.request('GET', url, { as: otherMember })).toMatchObject({ status: 404 });
    expect(await service.request('POST', url, { as: otherMember, body: { days: 3 } })).toMatchObject({ status: 404 });
    expect(await service.request('GET', url, { as: loansAdmin })).toMatchObject({ status: 200 });
  });

  it('refuses a cursor of another caller', async () => {
    await newLoan(service, member);
    const { nextCursor } = (await service.request('GET', '/v1/loans?limit=1', { as: member })).body.page;
    const reply = await service.request('GET', `/v1/loans?limit=1&cursor=${nextCursor}`, { as: otherMember });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
  });

  it('cannot be a subject that the property cannot hold', async () => {
    const as = { sub: 'service-1', scope: '' };
    expect((await service.request('GET', '/v1/loans', { as })).body.data).toEqual([]);
    const body = { ...own, bookId: loan.bookId };
    expect(await service.request('POST', '/v1/loans', { as, body })).toMatchObject({ status: 403 });
  });

  it('with `reads: anyone` shows every row, and refuses changes by others', async () => {
    const writer = { sub: member.sub, scope: 'notes:write' };
    const other = { sub: otherMember.sub, scope: 'notes:write' };
    const note = await service.request('POST', '/v1/notes', { as: writer, body: { text: 'Hello' } });
    expect(note).toMatchObject({ status: 201, body: { writerId: member.sub } });
    const url = `/v1/notes/${note.body.id}`;
    expect(await service.request('GET', url)).toMatchObject({ status: 200 });
    expect((await service.request('GET', '/v1/notes')).body.data).toHaveLength(1);
    const change = (as: object) => service.request('PATCH', url, { as, body: { text: 'Changed' } });
    expect(await change(other)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await change(writer)).toMatchObject({ status: 200 });
    expect(await change(librarian)).toMatchObject({ status: 200 });
  });

  it('lets only the owner of a parent that all may read change its children', async () => {
    const writer = { sub: member.sub, scope: 'notes:write' };
    const note = await service.request('POST', '/v1/notes', { as: writer, body: { text: 'Hello' } });
    const url = `/v1/notes/${note.body.id}/comments`;
    const comment = (sub: string) =>
      service.request('POST', url, { as: { sub, scope: 'notes:write' }, body: { text: 'Yes' } });
    expect(await comment(member.sub)).toMatchObject({ status: 201 });
    expect(await comment(otherMember.sub)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await service.request('GET', url)).body.data).toHaveLength(1);
  });

  it('serves what the contract declares and no more', async () => {
    const url = `/v1/notes/${nobody}`;
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const reply = await service.request(method, url, { as: librarian, body: {} });
      expect(reply).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
      expect(reply.headers['allow']).toBe('GET, HEAD, PATCH, OPTIONS');
    }
  });
});
