import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { bookInput, type Json, librarian, newAuthor, newBook, newCopy, nobody } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('replace and update on $name', (database) => {
  let service: Service;
  let author: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    author = await newAuthor(service);
  });
  afterAll(() => service.close());

  const put = (id: string, body: unknown, headers = {}) =>
    service.request('PUT', `/v1/books/${id}`, { as: librarian, body, headers });
  const patch = (id: string, body: unknown, headers = {}) =>
    service.request('PATCH', `/v1/books/${id}`, { as: librarian, body, headers });
  const book = (values: object = {}): Promise<Json> => newBook(service, { authorId: author.id, ...values });

  it('replaces the whole resource: absent optional properties are cleared, the state stays', async () => {
    const old = await book({ weight: 1.5, size: { heightMm: 1, widthMm: 2 }, tags: ['a'], editorId: author.id });
    await patch(old.id, { status: 'PUBLISHED' });
    const reply = await put(old.id, bookInput(author.id, { isbn: old.isbn }));
    expect(reply).toMatchObject({
      status: 200,
      body: { id: old.id, version: 3, status: 'PUBLISHED', tags: [], editorId: null },
    });
    expect(reply.body).not.toHaveProperty('weight');
    expect(reply.body).not.toHaveProperty('size');
    expect(reply.headers['etag']).toMatch(/^"3\.[\w-]+"$/);
    expect(reply.body.createdAt).toBe(old.createdAt);
  });

  it('changes only what a patch sends', async () => {
    const old = await book({ weight: 1.5, tags: ['a'] });
    const reply = await patch(old.id, { title: 'New' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...old, title: 'New', version: 2, updatedAt: reply.body.updatedAt });
  });

  it('merges objects, replaces arrays, and clears with null (RFC 7396)', async () => {
    const old = await book({ weight: 1.5, tags: ['a', 'b'], size: { heightMm: 1, widthMm: 2, depthMm: 3 } });
    const reply = await patch(old.id, { weight: null, tags: ['c'], size: { heightMm: 9, depthMm: null } });
    expect(reply.body).toMatchObject({ tags: ['c'], size: { heightMm: 9, widthMm: 2 } });
    expect(reply.body.size).not.toHaveProperty('depthMm');
    expect(reply.body).not.toHaveProperty('weight');
    expect((await patch(old.id, { size: null })).body).not.toHaveProperty('size');
  });

  it('refuses a patch that leaves an object without a required part', async () => {
    const old = await book();
    const reply = await patch(old.id, { size: { heightMm: 9 } });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/size/widthMm' }] },
    });
  });

  it('accepts a patch as application/json, too', async () => {
    const old = await book();
    const headers = { 'content-type': 'application/json' };
    expect(await patch(old.id, { title: 'New' }, headers)).toMatchObject({ status: 200, body: { title: 'New' } });
  });

  it('makes no new version of a change that changes nothing', async () => {
    const old = await book({ tags: ['a'] });
    expect((await patch(old.id, { title: old.title, tags: ['a'] })).body).toEqual(old);
    expect((await patch(old.id, {})).body).toEqual(old);
  });

  it('does not clear what the contract requires', async () => {
    const old = await book();
    expect(await patch(old.id, { title: null })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/title' }] },
    });
  });

  it('moves along the state machine only, naming the legal moves', async () => {
    const old = await book();
    const illegal = await patch(old.id, { status: 'RETIRED' });
    expect(illegal).toMatchObject({
      status: 409,
      body: { code: 'ILLEGAL_TRANSITION', errors: [{ pointer: '/status' }] },
    });
    expect(illegal.body.detail).toContain('PUBLISHED');
    expect(await patch(old.id, { status: 'PUBLISHED' })).toMatchObject({ status: 200 });
    expect(await put(old.id, bookInput(author.id, { isbn: old.isbn, status: 'RETIRED' }))).toMatchObject({
      status: 200,
    });
    expect((await patch(old.id, { status: 'DRAFT' })).body.detail).toContain('final');
  });

  it('sets an immutable property on creation only', async () => {
    const copy = await newCopy(service, (await book()).id);
    const url = `/v1/books/${copy.bookId}/copies/${copy.id}`;
    const replace = (body: object) => service.request('PUT', url, { as: librarian, body });
    expect(await replace({ label: 'B', shelf: 'S2' })).toMatchObject({
      status: 422,
      body: { code: 'IMMUTABLE_PROPERTY', errors: [{ pointer: '/shelf' }] },
    });
    expect(await replace({ label: 'B', shelf: 'S1' })).toMatchObject({ status: 200, body: { label: 'B' } });
    const reply = await service.request('PATCH', url, { as: librarian, body: { shelf: 'S1' } });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/shelf' }] } });
  });

  it('refuses what is unique elsewhere, and references to nothing', async () => {
    const [one, two] = [await book(), await book()];
    expect(await patch(one.id, { isbn: two.isbn })).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '/isbn' }] },
    });
    expect(await patch(one.id, { authorId: nobody })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/authorId' }] },
    });
    expect((await service.request('GET', `/v1/books/${one.id}`)).body).toEqual(one);
  });

  it('answers 404 when there is nothing to change', async () => {
    expect(await put(nobody, bookInput(author.id))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await patch(nobody, {})).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('applies one of many concurrent writers that expect the same version', async () => {
    const { id } = await book();
    const headers = { 'if-match': '"1"' };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => patch(id, { title: `T${i}` }, headers)));
    const counts = Object.groupBy(replies, ({ status }) => status);
    expect(counts[200]).toHaveLength(1);
    expect(counts[412]).toHaveLength(19);
  });

  it('loses no update among concurrent writers of different properties', async () => {
    const { id } = await book();
    const changes = [{ title: 'T' }, { pages: 7 }, { price: '1' }, { tags: ['t'] }, { weight: 3 }];
    await Promise.all(changes.map((change) => patch(id, change)));
    const { body } = await service.request('GET', `/v1/books/${id}`);
    expect(body).toMatchObject({ title: 'T', pages: 7, price: '1', tags: ['t'], weight: 3, version: 6 });
  });
});
