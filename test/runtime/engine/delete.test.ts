import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { librarian, newAuthor, newBook, newCopy } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('delete on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService('library', database);
  });
  afterAll(() => service.close());

  const remove = (url: string, headers = {}) => service.request('DELETE', url, { as: librarian, headers });

  it('answers 204 without a body, then 404', async () => {
    const { id } = await newAuthor(service);
    expect(await remove(`/v1/authors/${id}`)).toMatchObject({ status: 204, text: '' });
    expect(await remove(`/v1/authors/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 404 });
  });

  it('is refused while others refer to the resource (restrict)', async () => {
    const book = await newBook(service);
    const reply = await remove(`/v1/authors/${book.authorId}`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'STILL_REFERENCED' } });
    expect(reply.body.detail).toContain('Book');
  });

  it('takes dependants along (cascade)', async () => {
    const book = await newBook(service);
    const copy = await newCopy(service, book.id);
    expect(await remove(`/v1/books/${book.id}`)).toMatchObject({ status: 204 });
    expect(await service.request('GET', `/v1/books/${book.id}/copies/${copy.id}`)).toMatchObject({ status: 404 });
  });

  it('clears references with a new version (set-null)', async () => {
    const editor = await newAuthor(service);
    const book = await newBook(service, { editorId: editor.id });
    expect(await remove(`/v1/authors/${editor.id}`)).toMatchObject({ status: 204 });
    expect((await service.request('GET', `/v1/books/${book.id}`)).body).toMatchObject({ editorId: null, version: 2 });
  });

  it('changes nothing when a part of it is refused', async () => {
    const editor = await newAuthor(service);
    const edited = await newBook(service, { editorId: editor.id });
    await newBook(service, { authorId: editor.id });
    expect(await remove(`/v1/authors/${editor.id}`)).toMatchObject({ status: 409 });
    expect((await service.request('GET', `/v1/books/${edited.id}`)).body).toEqual(edited);
  });

  it('heeds If-Match', async () => {
    const { id } = await newAuthor(service);
    expect(await remove(`/v1/authors/${id}`, { 'if-match': '"2"' })).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect(await remove(`/v1/authors/${id}`, { 'if-match': '"1"' })).toMatchObject({ status: 204 });
  });
});
