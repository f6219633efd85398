import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RowScope } from '../../../src/runtime/storage/row-scope.ts';
import type { Transaction } from '../../../src/runtime/storage/store.ts';
import { databases } from '../../support/databases.ts';
import { librarian, newAuthor, newBook, newCopy } from '../../support/library.ts';
import { type As, type Service, startService } from '../../support/service.ts';

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

  it('is refused before anything is changed', async () => {
    const editor = await newAuthor(service);
    await newBook(service, { editorId: editor.id });
    await newBook(service, { authorId: editor.id });
    let updates = 0;
    const counting = (transaction: Transaction): Transaction =>
      new Proxy(transaction, {
        get(of, name) {
          const value = Reflect.get(of, name, of);
          if (name === 'update') updates++;
          if (name === 'within') return (scope: RowScope) => counting(of.within(scope));
          return typeof value === 'function' ? value.bind(of) : value;
        },
      });
    const { transaction } = service.store;
    service.store.transaction = (work, ...more) =>
      transaction.call(service.store, (one: Transaction) => work(counting(one)), ...more) as never;
    try {
      expect(await remove(`/v1/authors/${editor.id}`)).toMatchObject({ status: 409 });
      expect(updates).toBe(0);
    } finally {
      service.store.transaction = transaction;
    }
  });

  describe('of what many refer to', () => {
    const LABELS = 'ABCDEFGHIJ';
    const limit = (maxDependants: number | undefined): void => void Object.assign(service.store, { maxDependants });
    afterEach(() => limit(undefined));

    it('is refused where it takes along more than it may, and deletes nothing', async () => {
      const book = await newBook(service);
      for (const label of 'ABC') await newCopy(service, book.id, { label });
      limit(2);
      expect(await remove(`/v1/books/${book.id}`)).toMatchObject({
        status: 409,
        body: {
          code: 'STILL_REFERENCED',
          detail: 'More than 2 others would be deleted or changed along with this: delete the Copy rows first.',
        },
      });
      expect((await service.request('GET', `/v1/books/${book.id}/copies`)).body.data).toHaveLength(3);
      limit(3);
      expect(await remove(`/v1/books/${book.id}`)).toMatchObject({ status: 204 });
    });

    it('is refused where it changes more than it may', async () => {
      const editor = await newAuthor(service);
      for (const _ of 'AB') await newBook(service, { editorId: editor.id });
      limit(1);
      expect(await remove(`/v1/authors/${editor.id}`)).toMatchObject({ status: 409 });
      limit(2);
      expect(await remove(`/v1/authors/${editor.id}`)).toMatchObject({ status: 204 });
    });

    it('takes along any number where it may, and leaves turns to others', async () => {
      const book = await newBook(service);
      const { id } = await newCopy(service, book.id);
      const { store } = service;
      const row = (await store.get('books.copies', id))!;
      const { properties } = service.contract.resources.find(({ key }) => key === 'books.copies')!;
      const at = (name: string): number => properties.findIndex((one) => one.name === name);
      const copies = Array.from({ length: 2_600 }, (_, n) =>
        row
          .with(at('id'), `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
          .with(at('label'), `${LABELS[n % 10]} ${n}`),
      );
      await store.transaction((transaction) => transaction.insertAll('books.copies', copies));
      let turns = 0;
      let isDeleted = false;
      const count = (): void => {
        turns++;
        if (!isDeleted) setImmediate(count);
      };
      count();
      expect(await remove(`/v1/books/${book.id}`)).toMatchObject({ status: 204 });
      isDeleted = true;
      expect(turns).toBeGreaterThan(5);
      expect(await store.count('books.copies', [{ property: 'bookId', operator: 'eq', value: book.id }])).toBe(0);
    });
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

describe.each(databases)('a delete that takes along rows of several resources on $name', (database) => {
  it('tells rows with the same id apart', async () => {
    const service = await startService('journal', database);
    const [ann, admin]: As[] = [
      { sub: 'ann', scope: '' },
      { sub: 'admin', scope: 'diaries:admin' },
    ];
    const ask = async (method: string, path: string, as: As, body?: object) =>
      (await service.request(method, `/v1${path}`, { as, ...(body && { body }) })).body;
    const made = (path: string, as: As, body: object) => ask('POST', path, as, body);
    for (const as of [ann!, admin!]) await made('/accounts', as, { name: as.sub });
    const [diary, kept] = [
      await made('/diaries', ann!, { title: 'a' }),
      await made('/diaries', admin!, { title: 'b' }),
    ];
    const page = await made(`/diaries/${diary.id}/pages`, ann!, { text: 'first' });
    const entry = await made('/entries', admin!, { diaryId: kept.id, pageId: page.id, text: 'of a page' });
    const namesake: As = { sub: page.id, scope: '' };
    await made('/accounts', namesake, { name: 'as the page' });
    expect(await ask('PATCH', `/diaries/${diary.id}`, admin!, { writerId: page.id })).toMatchObject({ version: 2 });
    await ask('DELETE', `/accounts/${page.id}`, namesake);
    expect(await ask('GET', `/entries/${entry.id}`, admin!)).toMatchObject({ pageId: null, version: 2 });
    await service.close();
  });
});
