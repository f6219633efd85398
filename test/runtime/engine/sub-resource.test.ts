import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, newBook, newCopy, nobody } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('sub-resources on $name', (database) => {
  let service: Service;
  let book: Json;
  let copy: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    book = await newBook(service);
    copy = await newCopy(service, book.id);
  });
  afterAll(() => service.close());

  const url = (bookId: string, copyId = '') => `/v1/books/${bookId}/copies${copyId && `/${copyId}`}`;

  it('belong to the parent that the path names', async () => {
    expect(copy.bookId).toBe(book.id);
    expect((await service.request('GET', url(book.id))).body.data).toEqual([copy]);
    const other = await newBook(service);
    expect((await service.request('GET', url(other.id))).body.data).toEqual([]);
    expect(await service.request('GET', url(other.id, copy.id))).toMatchObject({ status: 404 });
    expect(await service.request('DELETE', url(other.id, copy.id), { as: librarian })).toMatchObject({ status: 404 });
  });

  it('are 404 when the parent does not exist', async () => {
    const body = { label: 'B', shelf: 'S' };
    for (const reply of [
      await service.request('GET', url(nobody)),
      await service.request('GET', url(nobody, copy.id)),
      await service.request('POST', url(nobody), { as: librarian, body }),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('take the parent from the path alone', async () => {
    const body = { label: 'C', shelf: 'S', bookId: book.id };
    const reply = await service.request('POST', url(book.id), { as: librarian, body });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/bookId' }] } });
  });

  it('are unique within the parent, where the contract says so', async () => {
    const body = { label: copy.label, shelf: 'S' };
    const again = await service.request('POST', url(book.id), { as: librarian, body });
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
    expect(again.body.errors.map((error: Json) => error.pointer)).toContain('/label');
    const other = await newBook(service);
    const elsewhere = await service.request('POST', url(other.id), { as: librarian, body });
    expect(elsewhere).toMatchObject({ status: 201, body: { bookId: other.id } });
    expect(elsewhere.headers['location']).toBe(url(other.id, elsewhere.body.id));
  });
});
