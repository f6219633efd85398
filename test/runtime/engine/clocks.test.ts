import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { bookInput, type Json, librarian, member, newAuthor, newBook, newLoan } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

const NOON = Date.parse('2026-01-15T12:00:00.000Z');
const HOUR_MS = 3_600_000;

/** A loan changes its book. */
const overrides = {
  loans: {
    async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
      const book = await store.books.get(input.bookId);
      await store.books.update(book.id, { lentCount: book.lentCount + 1 });
      return next(input);
    },
  },
} as unknown as NonNullable<AnyHandlers['overrides']>;

/** What changes a book, over either protocol. */
const CHANGES: readonly (readonly [name: string, change: (service: Service, book: Json) => Promise<unknown>])[] = [
  [
    'an update over REST',
    (service, { id }) => service.request('PATCH', `/v1/books/${id}`, { as: librarian, body: { pages: 7 } }),
  ],
  [
    'a replacement over REST',
    (service, { id, authorId }) =>
      service.request('PUT', `/v1/books/${id}`, { as: librarian, body: bookInput(authorId, { pages: 7 }) }),
  ],
  [
    'an update over GraphQL',
    (service, { id }) =>
      service.graphql(`mutation { updateBook(id: "${id}", input: { pages: 7 }) { id } }`, { as: librarian }),
  ],
  [
    'a replacement over GraphQL',
    (service, { id, authorId }) =>
      service.graphql('mutation ($id: ID!, $input: BookInput!) { replaceBook(id: $id, input: $input) { id } }', {
        as: librarian,
        variables: { id, input: bookInput(authorId, { pages: 7, edition: { paper: { binding: 'HARD' } } }) },
      }),
  ],
  ['code', (service, { id }) => newLoan(service, member, { bookId: id })],
  [
    'the deletion of what it refers to',
    (service, { editorId }) => service.request('DELETE', `/v1/authors/${editorId}`, { as: librarian }),
  ],
];

describe.each(databases)('a clock that is behind, on $name', (kind) => {
  let service: Service;
  let now = NOON;
  beforeAll(async () => {
    service = await startService('library', kind, { overrides }, { clock: () => new Date(now) });
  });
  afterAll(() => service.close());

  it.each(CHANGES)('does not make a row older by %s', async (_, change) => {
    now = NOON;
    const editor = await newAuthor(service);
    const book = await newBook(service, { editorId: editor.id });
    const present = async () => (await service.request('GET', `/v1/books/${book.id}`)).body;
    now = NOON - HOUR_MS;
    await change(service, book);
    expect(await present()).toMatchObject({ version: 2, updatedAt: book.updatedAt });
    now = NOON + 1;
    await service.request('PATCH', `/v1/books/${book.id}`, { as: librarian, body: { pages: 9 } });
    expect((await present()).updatedAt).toBe('2026-01-15T12:00:00.001Z');
  });
});
