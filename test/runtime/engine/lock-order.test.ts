import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, newBook, newCopy } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

let runs = 0;

/** An update of a copy counts in its book; a replacement leaves the book alone. */
const overrides = {
  'books.copies': {
    async update(patch: Json, { store, params }: Json, next: (patch: Json) => Promise<Json>) {
      runs++;
      const copy = await next(patch);
      const book = await store.books.get(params.bookId);
      await store.books.update(book.id, { lentCount: book.lentCount + 1 });
      return copy;
    },
    async delete(_id: string, { store, params }: Json, next: () => Promise<void>) {
      await next();
      // Whatever it makes of an error, nothing is committed twice.
      const book = await store.books.get(params.bookId).catch(() => undefined);
      if (book) await store.books.update(book.id, { lentCount: book.lentCount + 10 });
    },
    replace: (input: Json, _context: Json, next: (input: Json) => Promise<Json>) => next(input),
  },
};

describe.each(databases)('the order of locks on $name', (database) => {
  let service: Service;
  let book: Json;
  let copy: Json;

  beforeAll(async () => {
    service = await startService('library', database, { overrides: overrides as never });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    book = await newBook(service);
    copy = await newCopy(service, book.id);
  });

  const url = () => `/v1/books/${book.id}/copies/${copy.id}`;
  const update = (label: string) => service.request('PATCH', url(), { as: librarian, body: { label } });
  const lentCount = async (): Promise<number> => (await service.request('GET', `/v1/books/${book.id}`)).body.lentCount;

  it('changes nothing that an override does', async () => {
    expect(await update('S2')).toMatchObject({ status: 200, body: { label: 'S2' } });
    expect(await update('S3')).toMatchObject({ status: 200, body: { label: 'S3' } });
    expect(await lentCount()).toBe(2);
  });

  it('is learned from the first use of the parent, also when the override catches what ends that attempt', async () => {
    expect(await service.request('DELETE', url(), { as: librarian })).toMatchObject({ status: 204 });
    expect(await lentCount()).toBe(10);
  });

  it('begins an action anew only where rows are locked, and once', async () => {
    await update('S4');
    runs = 0;
    await update('S5');
    expect(runs).toBe(1);
  });

  it('has the parent before the child in an action that uses it', async () => {
    if (!service.store.hasRowLocks) return;
    await update('learned');
    let changing: Promise<Json> | undefined;
    await service.store.transaction(async (holder) => {
      await holder.get('books', book.id);
      changing = update('S6');
      // Nobody holds the child while the parent is waited for: it can be locked and changed again and again.
      for (let i = 0; i < 20; i++) await service.store.transaction((other) => other.get('books.copies', copy.id));
    });
    expect(await changing).toMatchObject({ status: 200, body: { label: 'S6' } });
  });

  it('leaves the parent out of an action that does not use it', async () => {
    if (!service.store.hasRowLocks) return;
    const body = { label: 'S7', shelf: copy.shelf };
    await service.store.transaction(async (holder) => {
      await holder.get('books', book.id);
      expect(await service.request('PUT', url(), { as: librarian, body })).toMatchObject({ status: 200 });
    });
  });
});
