import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, member, newAuthor, newBook, newLoan, nobody } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

/** Overrides before types, as they come from a handlers folder. */
const overrides = {
  loans: {
    /** A loan counts in its book; a fourth one is refused after the count. */
    async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
      const book = await store.books.get(input.bookId);
      const loan = await next(input);
      const { lentCount } = await store.books.update(book.id, { lentCount: book.lentCount + 1 });
      if (lentCount > 3) throw new ApiError('CONFLICT', { detail: 'Lent too often.' });
      return loan;
    },
    async delete(_id: string, { store, current }: Json, next: () => Promise<void>) {
      await next();
      const { lentCount } = await store.books.get(current.bookId);
      await store.books.update(current.bookId, { lentCount: lentCount - 1 });
    },
  },
  authors: {
    async get(_id: string, _context: Json, next: () => Promise<Json>) {
      return { ...(await next()), country: 'XX', secret: 'not declared' };
    },
    async list(query: Json, { store }: Json, next: (query: Json) => Promise<Json>) {
      if (query.country?.[0] === 'WR') await store.authors.create({ name: 'x', born: null });
      return next({ ...query, limit: 1 });
    },
    async update(patch: Json, { current, now }: Json, next: (patch: Json) => Promise<Json>) {
      return next({ ...patch, name: `${patch.name} (was ${current.name}, ${now.getUTCFullYear()})` });
    },
    async replace(): Promise<Json> {
      throw new Error('a secret of the server');
    },
  },
} as unknown as NonNullable<AnyHandlers['overrides']>;

describe.each(databases)('overrides on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService('library', database, { overrides });
  });
  afterAll(() => service.close());

  const lentCount = async (id: string): Promise<number> =>
    (await service.request('GET', `/v1/books/${id}`)).body.lentCount;

  it('run in the transaction of the action', async () => {
    const book = await newBook(service);
    const loan = await newLoan(service, member, { bookId: book.id });
    expect(await lentCount(book.id)).toBe(1);
    await service.request('DELETE', `/v1/loans/${loan.id}`, { as: member });
    expect(await lentCount(book.id)).toBe(0);
  });

  it('leave nothing behind when they fail', async () => {
    const book = await newBook(service);
    const body = { bookId: book.id, dueOn: '2026-02-01' };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => service.request('POST', '/v1/loans', { as: member, body })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409]);
    expect(await lentCount(book.id)).toBe(3);
    const loans = await service.request('GET', `/v1/loans?bookId=${book.id}`, { as: member });
    expect(loans.body.data).toHaveLength(3);
  });

  it('answer with declared properties only', async () => {
    const { id } = await newAuthor(service);
    const reply = await service.request('GET', `/v1/authors/${id}`);
    expect(reply.body).toMatchObject({ id, country: 'XX' });
    expect(reply.body).not.toHaveProperty('secret');
  });

  it('may change what the default action is asked', async () => {
    await newAuthor(service);
    await newAuthor(service);
    expect((await service.request('GET', '/v1/authors?limit=50')).body.data).toHaveLength(1);
    const author = await newAuthor(service, { name: 'Old' });
    const reply = await service.request('PATCH', `/v1/authors/${author.id}`, { as: librarian, body: { name: 'New' } });
    expect(reply.body.name).toBe('New (was Old, 2026)');
  });

  it('cannot write while they read', async () => {
    expect(await service.request('GET', '/v1/authors?country=WR')).toMatchObject({ status: 500 });
  });

  it('do not run where the row is missing or the caller may not', async () => {
    const body = { name: 'New' };
    expect(await service.request('PATCH', `/v1/authors/${nobody}`, { as: librarian, body })).toMatchObject({
      status: 404,
    });
    expect(await service.request('PATCH', `/v1/authors/${nobody}`, { as: member, body })).toMatchObject({
      status: 403,
    });
  });

  it('reveal nothing of an error that is not an ApiError', async () => {
    const { id } = await newAuthor(service);
    const reply = await service.request('PUT', `/v1/authors/${id}`, { as: librarian, body: { name: 'x' } });
    expect(reply).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(reply.text).not.toContain('secret');
  });

  it.each([
    [{ shelves: {} }, "overrides['shelves']"],
    [{ notes: { delete: async () => undefined } }, "overrides['notes'].delete"],
  ])('fail the boot where the contract has no such action: %j', async (unknown, name) => {
    const starting = startService('library', database, { overrides: unknown as AnyHandlers['overrides'] & object });
    await expect(starting).rejects.toThrow(name);
  });
});
